/** One file out of a zip, by the list at the end of the zip. */
import { FileRefused } from './plan'

const END = 0x06054b50
const END_LENGTH = 22
const LONGEST_COMMENT = 65_535
const ENTRY = 0x02014b50
const ENTRY_LENGTH = 46
const DEFLATED = 8

/** Throws if the file is not there, or is longer than `most` bytes. */
export async function unzip(zip: Uint8Array, name: string, most: number): Promise<Uint8Array> {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength)
  const last = zip.length - END_LENGTH
  let end = last
  while (end > Math.max(0, last - LONGEST_COMMENT) && view.getUint32(end, true) !== END) end -= 1
  let at = view.getUint32(end + 16, true)
  while (view.getUint32(at, true) === ENTRY) {
    const nameEnd = at + ENTRY_LENGTH + view.getUint16(at + 28, true)
    if (new TextDecoder().decode(zip.subarray(at + ENTRY_LENGTH, nameEnd)) === name) {
      const head = view.getUint32(at + 42, true)
      const begin = head + 30 + view.getUint16(head + 26, true) + view.getUint16(head + 28, true)
      const packed = zip.subarray(begin, begin + view.getUint32(at + 20, true))
      return view.getUint16(at + 10, true) === DEFLATED ? inflate(packed, most) : packed
    }
    at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  throw new FileRefused(`This zip has no ${name}. The console takes the zip that Vikunja exports.`)
}

async function inflate(packed: Uint8Array, most: number): Promise<Uint8Array> {
  const { readable, writable } = new DecompressionStream('deflate-raw')
  const writer = writable.getWriter()
  // The reader below gets the error.
  writer.write(packed as BufferSource).catch(() => {})
  writer.close().catch(() => {})
  const whole = new Uint8Array(most)
  let length = 0
  for (const reader = readable.getReader(); ;) {
    const { done, value } = await reader.read()
    if (done) return whole.subarray(0, length)
    if (length + value.length > most) {
      await reader.cancel()
      throw new FileRefused('This zip unpacks to too much: use stow import.')
    }
    whole.set(value, length)
    length += value.length
  }
}
