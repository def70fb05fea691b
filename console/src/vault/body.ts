/** Texts of tasks, sealed and opened. Padding hides their length: its bytes before it, zeros up to the next 256. */
import type { Schemas } from '../api/queries'
import { ALGORITHM, boundTo, decrypt, encrypt, VERSION } from './sealing'
import { Unreadable } from './unreadable'

export type Envelope = Schemas['Envelope']

const BLOCK = 256
const PURPOSE = 'stowboard-task-body'

export async function seal(
  key: CryptoKey,
  keyId: string,
  owner: string,
  taskId: string,
  text: string,
): Promise<Envelope> {
  const sealed = await encrypt(key, pad(text), boundTo(PURPOSE, owner, taskId, keyId))
  return { version: VERSION, algorithm: ALGORITHM, keyId, ...sealed }
}

/** Throws Unreadable. */
export async function unseal(
  keys: ReadonlyMap<string, CryptoKey>,
  owner: string,
  taskId: string,
  envelope: Envelope,
): Promise<string> {
  const key = keys.get(envelope.keyId)
  if (envelope.version !== VERSION || envelope.algorithm !== ALGORITHM)
    throw new Unreadable('it was sealed in a way that this console does not know')
  if (!key) throw new Unreadable(`it was sealed with another key, ${envelope.keyId}`)
  return unpad(await decrypt(key, envelope, boundTo(PURPOSE, owner, taskId, envelope.keyId)))
}

export function pad(text: string): Uint8Array<ArrayBuffer> {
  const content = new TextEncoder().encode(text)
  const padded = new Uint8Array(Math.ceil((content.length + 4) / BLOCK) * BLOCK)
  new DataView(padded.buffer).setUint32(0, content.length)
  padded.set(content, 4)
  return padded
}

/** Throws Unreadable for anything but a result of `pad`. */
export function unpad(padded: Uint8Array<ArrayBuffer>): string {
  if (padded.length < 4) throw new Unreadable('wrong padding')
  const length = new DataView(padded.buffer, padded.byteOffset).getUint32(0)
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(padded.subarray(4, 4 + length))
  const again = pad(text)
  if (again.length !== padded.length || again.some((byte, at) => byte !== padded[at]))
    throw new Unreadable('wrong padding')
  return text
}
