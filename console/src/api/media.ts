/** Assets and videos, as the library shows them. What the API may come to do better is changed here alone. */
import { type Asset, NotFound, type Schemas, type Video } from '@stowboard/client'

import { did } from './acts'
import { api, stow } from './client'

export type { Asset, Video }
export type Visibility = Asset['visibility']
export type AssetPatch = Parameters<typeof stow.assets.update>[1]

/** One thing of the library: an asset or a video. */
export interface Entry {
  id: string
  spaceId: string
  kind: 'image' | 'file' | 'video'
  name: string
  size: number | null
  tags: string[]
  visibility: Visibility
  createdAt: number
  /** Since when it is in the trash. */
  trashedAt: number | null
  asset?: Asset
  video?: Video
}

const MOST_IDS = 100

export function assetEntry(asset: Asset): Entry {
  const { id, spaceId, kind, size, tags, visibility, createdAt, trashedAt } = asset
  return { id, spaceId, kind, name: asset.filename, size, tags, visibility, createdAt, trashedAt, asset }
}

export function videoEntry(video: Video): Entry {
  const { id, spaceId, size, tags, visibility, createdAt, trashedAt } = video
  return { id, spaceId, kind: 'video', name: video.title, size, tags, visibility, createdAt, trashedAt, video }
}

export function isVideoId(id: string): boolean {
  return id.startsWith('vid_')
}

export async function getEntry(id: string): Promise<Entry> {
  return isVideoId(id) ? videoEntry(await stow.videos.get(id)) : assetEntry(await stow.assets.get(id))
}

/** The ids in groups, each as large as one call takes. */
export function chunksOf(ids: string[]): string[][] {
  const found: string[][] = []
  for (let at = 0; at < ids.length; at += MOST_IDS) found.push(ids.slice(at, at + MOST_IDS))
  return found
}

/** The entries with these ids that exist: few calls for all assets, and one for each video. */
export async function getEntries(ids: string[]): Promise<Entry[]> {
  const videos = ids.filter(isVideoId)
  const found: Entry[] = []
  for (const some of chunksOf(ids.filter((id) => !isVideoId(id))))
    found.push(...(await api('post', '/media/assets/by-ids', { body: { ids: some } })).data.map(assetEntry))
  for (const id of videos) {
    try {
      found.push(await getEntry(id))
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
    }
  }
  return found
}

export async function patchEntry(id: string, patch: AssetPatch): Promise<Entry> {
  const entry = await changeEntry(id, patch)
  did([{ id }])
  return entry
}

/** Changes an entry without noting an act. */
export async function changeEntry(id: string, patch: AssetPatch): Promise<Entry> {
  if (isVideoId(id)) {
    const { tags, visibility, title } = patch
    const body = { tags, visibility, ...(title ? { title } : {}) }
    return videoEntry(await stow.videos.update(id, body))
  }
  return assetEntry(await stow.assets.update(id, patch))
}

export interface SignOptions {
  transformClass?: string
  expiresIn?: number
  disposition?: Schemas['Disposition']
}

export const signAsset = (id: string, options: SignOptions = {}): Promise<string> => stow.assets.url(id, options)

/** The address of a class of a public asset: `/cdn/{asset}/{edition}/{class}/{name}`. */
export function classUrl(url: string, transformClass: string): string {
  return url.replace(/(\/cdn\/[^/]+\/[^/]+\/)[^/]+\//, `$1${transformClass}/`)
}
