/** base64url without padding (RFC 4648, 5). */
import { Unreadable } from './unreadable'

export function encode(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Throws Unreadable for a text that an encoder would not write. */
export function decode(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) throw new Unreadable('it is not base64url')
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
  if (encode(bytes) !== text) throw new Unreadable('it is not base64url as an encoder writes it')
  return bytes
}
