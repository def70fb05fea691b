/**
 * Small pictures for lists. A public asset's address is known; a protected one's has to be signed, which is asked only
 * for what is seen, a few at a time, and remembered until it has nearly run out. Where a list gives `thumbnailUrl`,
 * that is taken.
 */
import { classUrl, type Entry, signAsset } from './media'

const AT_ONCE = 4
const SECONDS = 3600
const KEPT = 2000

const signed = new Map<string, { url: Promise<string>; until: number }>()
const waiting: (() => void)[] = []
let running = 0

/** The address if it is known at once, a promise of it if not, null if there is no picture. */
export function thumbnail(entry: Entry, transformClass: string): string | Promise<string> | null {
  if (entry.video) return entry.video.posterUrl
  const asset = entry.asset as (Entry['asset'] & { thumbnailUrl?: string | null }) | undefined
  if (!asset || asset.kind !== 'image' || asset.processingStatus === 'pending' || !asset.url) return null
  if (asset.thumbnailUrl) return asset.thumbnailUrl
  if (asset.visibility === 'public') return classUrl(asset.url, transformClass)
  return remembered(`${asset.id} ${asset.version} ${transformClass}`, () => signAsset(asset.id, { transformClass, expiresIn: SECONDS }))
}

function remembered(key: string, ask: () => Promise<string>): Promise<string> {
  const known = signed.get(key)
  if (known && known.until > Date.now()) return known.url
  const url = inTurn(ask)
  signed.set(key, { url, until: Date.now() + SECONDS * 800 })
  url.catch(() => signed.delete(key))
  if (signed.size > KEPT) signed.delete(signed.keys().next().value!)
  return url
}

async function inTurn<T>(act: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((go) => waiting.push(go))
  running += 1
  try {
    return await act()
  } finally {
    running -= 1
    waiting.pop()?.() // the newest first: it is what is seen
  }
}
