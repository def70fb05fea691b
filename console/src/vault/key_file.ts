/** Vault keys: made at random, wrapped by a passphrase for the server to keep, bare in a file for the worst day. */
import type { Schemas } from '../api/queries'
import { decode, encode } from './base64'
import { ALGORITHM, boundTo, decrypt, encrypt, VERSION } from './sealing'
import { Unreadable } from './unreadable'

export type KeyFile = Schemas['KeyFile']
type Bytes = Uint8Array<ArrayBuffer>

const KDF = 'PBKDF2-SHA256'
const FEWEST_ITERATIONS = 600_000
const MOST_ITERATIONS = 10_000_000
const KEY_BYTES = 32
const CHECK_LENGTH = 11
const PURPOSE = 'stowboard-vault-key'

export function newKey(): { raw: Bytes; keyId: string } {
  return { raw: random(KEY_BYTES), keyId: encode(random(12)) }
}

export async function wrap(passphrase: string, raw: Bytes, keyId: string, owner: string): Promise<KeyFile> {
  const salt = random(16)
  const key = await derive(passphrase, salt, FEWEST_ITERATIONS)
  const sealed = await encrypt(key, raw, boundTo(PURPOSE, owner, keyId))
  return {
    version: VERSION,
    algorithm: ALGORITHM,
    keyId,
    kdf: KDF,
    iterations: FEWEST_ITERATIONS,
    salt: encode(salt),
    ...sealed,
  }
}

/** Throws Unreadable, also for a wrong passphrase. */
export async function unwrap(passphrase: string, owner: string, file: KeyFile): Promise<Bytes> {
  if (file.version !== VERSION || file.algorithm !== ALGORITHM || file.kdf !== KDF)
    throw new Unreadable('the key was wrapped in a way that this console does not know')
  const salt = decode(file.salt)
  // An edited file must neither weaken the key nor keep a browser busy for minutes.
  if (file.iterations < FEWEST_ITERATIONS || file.iterations > MOST_ITERATIONS || salt.length < 16)
    throw new Unreadable('its parameters are too weak or too costly')
  const key = await derive(passphrase, salt, file.iterations)
  const raw = await decrypt(key, file, boundTo(PURPOSE, owner, file.keyId))
  if (raw.length !== KEY_BYTES) throw new Unreadable('the key has another length')
  return raw
}

export async function writeRecovery(owner: string, keyId: string, raw: Bytes): Promise<string> {
  return JSON.stringify({ stowboardRecovery: 1, owner, keyId, key: encode(raw), check: await checkOf(raw) }, null, 1)
}

/** Throws Unreadable if the file is no key file, is damaged, or belongs to another person. */
export async function readRecovery(text: string, owner: string): Promise<{ keyId: string; raw: Bytes }> {
  const file = parse(text)
  if (file.stowboardRecovery !== 1 || typeof file.key !== 'string' || typeof file.keyId !== 'string')
    throw new Unreadable('this is no recovery file')
  if (file.owner !== owner) throw new Unreadable(`this is the recovery file of ${String(file.owner)}`)
  const raw = decode(file.key)
  if (raw.length !== KEY_BYTES || (await checkOf(raw)) !== file.check)
    throw new Unreadable('the recovery file is damaged')
  return { keyId: file.keyId, raw }
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    throw new Unreadable('this is no recovery file')
  }
}

async function checkOf(raw: Bytes): Promise<string> {
  return encode(new Uint8Array(await crypto.subtle.digest('SHA-256', raw))).slice(0, CHECK_LENGTH)
}

async function derive(passphrase: string, salt: Bytes, iterations: number): Promise<CryptoKey> {
  const secret = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(passphrase.normalize('NFC')),
    'PBKDF2',
    false,
    ['deriveKey'],
  )
  return crypto.subtle.deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt, iterations },
    secret,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

function random(count: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(count))
}
