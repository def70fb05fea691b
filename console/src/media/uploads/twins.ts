/** Files whose bytes the library has already, told by their checksums before they are sent. */
import { api } from '../../api/client'
import type { Asset } from '../../api/media'

/** A browser can only take the checksum of a whole file, so all of the file is in memory. */
const MOST_BYTES = 64 * 1024 * 1024

/** Videos have no checksum in the API, and over plain HTTP browsers offer no cryptography. */
export function canCheck({ size, type }: File): boolean {
  return 'subtle' in crypto && size > 0 && size <= MOST_BYTES && !type.startsWith('video/')
}

/** For each upload, the asset with the same bytes in its space, or null. At most 50. Throws StowError. */
export async function findTwins(added: { file: File | null; spaceId: string }[]): Promise<(Asset | null)[]> {
  const sums: string[] = []
  // One at a time, so that only one file is in memory.
  for (const { file } of added) sums.push(await checksum(file!))
  const query = { checksum: [...new Set(sums)].join(','), limit: 100, spaceId: added[0]!.spaceId }
  const { data } = await api('get', '/media/assets', { query })
  return sums.map((sum) => data.find((asset) => asset.checksum === sum) ?? null)
}

async function checksum(file: File): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
  return `sha256:${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
