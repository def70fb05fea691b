/** The ciphers for bodies and keys, and the place that each is bound to: docs/api/zero-knowledge.md, in WebCrypto. */
import { decode, encode } from './base64'
import { Unreadable } from './unreadable'

export const VERSION = 1
export const ALGORITHM = 'A256GCM'
const NONCE_BYTES = 12

export interface Sealed {
  nonce: string
  ciphertext: string
}

export function boundTo(purpose: string, ...values: string[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode([purpose, String(VERSION), ALGORITHM, ...values].join('\n'))
}

export async function encrypt(
  key: CryptoKey,
  content: Uint8Array<ArrayBuffer>,
  bound: Uint8Array<ArrayBuffer>,
): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: bound }, key, content)
  return { nonce: encode(iv), ciphertext: encode(new Uint8Array(sealed)) }
}

/** Throws Unreadable. */
export async function decrypt(
  key: CryptoKey,
  { nonce, ciphertext }: Sealed,
  bound: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const iv = decode(nonce)
  const content = decode(ciphertext)
  if (iv.length !== NONCE_BYTES) throw new Unreadable('its nonce has another length')
  try {
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData: bound }, key, content))
  } catch {
    throw new Unreadable('another key, another place, or damage')
  }
}

/** A key that seals and opens, and that nobody can read out of the browser's memory by script. */
export function importKey(raw: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt'])
}
