/**
 * The keys of sealed texts, while they are unlocked: in this tab's memory alone, gone when it is closed or reloaded. The
 * server keeps them wrapped by a passphrase, which never leaves the browser.
 */
import { SvelteMap } from 'svelte/reactivity'

import { api } from '../api/client'
import { me, queries } from '../api/queries'
import { type Envelope, seal, unseal } from './body'
import { type KeyFile, newKey, readRecovery, unwrap, wrap, writeRecovery } from './key_file'
import { importKey } from './sealing'
import { Unreadable } from './unreadable'

/** Browsers offer cryptography only to pages over HTTPS, and to pages of this machine. */
export const canSeal = typeof crypto.subtle !== 'undefined'
export const SHORTEST_PASSPHRASE = 12

export const vaultKeys = () => ({
  queryKey: ['vault-keys'],
  queryFn: async () => (await api('get', '/taskapp/vault-keys')).data.map((key) => key.keyFile),
})

class Vault {
  #keys = new SvelteMap<string, CryptoKey>()
  #writing = $state('')
  #owner = ''

  get open(): boolean {
    return this.#writing !== ''
  }

  lock(): void {
    this.#keys.clear()
    this.#writing = ''
  }

  /** Makes a first key, or another one. Returns the recovery file. */
  async create(passphrase: string): Promise<string> {
    const owner = await this.#who()
    const { raw, keyId } = newKey()
    await api('post', '/taskapp/vault-keys', { body: await wrap(passphrase, raw, keyId, owner) })
    await this.#hold(keyId, raw)
    await queries.invalidateQueries({ queryKey: ['vault-keys'] })
    return writeRecovery(owner, keyId, raw)
  }

  /** All keys that the passphrase opens. Throws Unreadable if it opens none. */
  async unlock(passphrase: string): Promise<void> {
    for (const [file, raw] of await this.#unwrapped(passphrase)) await this.#hold(file.keyId, raw)
  }

  /** Throws Unreadable if the present passphrase is wrong. */
  async change(present: string, next: string): Promise<void> {
    const owner = await this.#who()
    for (const [file, raw] of await this.#unwrapped(present)) await this.#put(await wrap(next, raw, file.keyId, owner))
    await queries.invalidateQueries({ queryKey: ['vault-keys'] })
  }

  async recoveryFile(passphrase: string): Promise<string> {
    const [file, raw] = (await this.#unwrapped(passphrase)).at(-1)!
    return writeRecovery(await this.#who(), file.keyId, raw)
  }

  /** With the recovery file instead of the passphrase, which gets a successor. Throws Unreadable. */
  async recover(text: string, passphrase: string): Promise<void> {
    const owner = await this.#who()
    const { keyId, raw } = await readRecovery(text, owner)
    const file = await wrap(passphrase, raw, keyId, owner)
    const known = (await this.#files()).some((each) => each.keyId === keyId)
    if (known) await this.#put(file)
    else await api('post', '/taskapp/vault-keys', { body: file })
    await this.#hold(keyId, raw)
    await queries.invalidateQueries({ queryKey: ['vault-keys'] })
  }

  async seal(taskId: string, text: string): Promise<Envelope> {
    const key = this.#keys.get(this.#writing)
    if (!key) throw new Error('Sealed texts are locked.')
    return seal(key, this.#writing, this.#owner, taskId, text)
  }

  /** Throws Unreadable. */
  unseal(taskId: string, envelope: Envelope): Promise<string> {
    return unseal(this.#keys, this.#owner, taskId, envelope)
  }

  async #hold(keyId: string, raw: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#keys.set(keyId, await importKey(raw))
    this.#writing = keyId
  }

  async #unwrapped(passphrase: string): Promise<[KeyFile, Uint8Array<ArrayBuffer>][]> {
    const owner = await this.#who()
    const opened: [KeyFile, Uint8Array<ArrayBuffer>][] = []
    let problem = new Unreadable('No passphrase is set yet.')
    for (const file of await this.#files()) {
      try {
        opened.push([file, await unwrap(passphrase, owner, file)])
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error
        problem = new Unreadable('The passphrase is wrong.')
      }
    }
    if (opened.length === 0) throw problem
    return opened
  }

  #files(): Promise<KeyFile[]> {
    return queries.fetchQuery({ ...vaultKeys(), staleTime: 0 })
  }

  async #put(file: KeyFile): Promise<void> {
    await api('patch', '/taskapp/vault-keys/{key_id}', { path: { key_id: file.keyId }, body: file })
  }

  async #who(): Promise<string> {
    this.#owner = (await queries.ensureQueryData(me())).account.username
    return this.#owner
  }
}

export const vault = new Vault()
