/** What the library shows: assets, videos, or both by date. Filters are in the address, so a view can be shared. */
import { api } from '../api/client'
import { assetEntry, type Entry, videoEntry } from '../api/media'
import type { Schemas } from '../api/queries'
import type { Page } from '../shell/lists/paged.svelte'

export const KINDS = ['all', 'image', 'video', 'file'] as const
export type KindFilter = (typeof KINDS)[number]

export interface Filters {
  kind: KindFilter
  q: string
  tags: string
  visibility: '' | 'public' | 'protected'
  status: '' | 'ready' | 'processing' | 'failed'
  after: string
  before: string
  sort: '' | Schemas['AssetSort']
}

/** Where both lists are: a cursor, and how many of its page were shown already. */
interface Place {
  cursor: string | null
  skip: number
  ended: boolean
}
export interface Cursor {
  assets: Place
  videos: Place
}

const LIMIT = 60
const START: Cursor = {
  assets: { cursor: null, skip: 0, ended: false },
  videos: { cursor: null, skip: 0, ended: false },
}

export function filtersOf(query: URLSearchParams): Filters {
  const text = (name: string) => query.get(name) ?? ''
  const kind = text('kind') as KindFilter
  return {
    kind: KINDS.includes(kind) ? kind : 'all',
    q: text('q'),
    tags: text('tag'),
    visibility: text('visibility') as Filters['visibility'],
    status: text('status') as Filters['status'],
    after: text('after'),
    before: text('before'),
    sort: text('sort') as Filters['sort'],
  }
}

export function isFiltered(filters: Filters): boolean {
  const { kind, q, tags, visibility, status, after, before } = filters
  return kind !== 'all' || [q, tags, visibility, status, after, before].some(Boolean)
}

/** Whether videos belong to what is asked for: they have no date or order to look for. */
function hasVideos({ kind, after, before, sort }: Filters): boolean {
  return kind === 'video' || (kind === 'all' && !after && !before && !sort)
}

/** Throws ApiError. */
export async function fetchEntries(
  filters: Filters,
  cursor: Cursor | null,
  signal: AbortSignal,
): Promise<Page<Entry, Cursor>> {
  const from = cursor ?? START
  const [assets, videos] = await Promise.all([
    filters.kind === 'video' || from.assets.ended ? NOTHING : pageOfAssets(filters, from.assets, signal),
    !hasVideos(filters) || from.videos.ended ? NOTHING : pageOfVideos(filters, from.videos, signal),
  ])
  return merge(from, assets, videos)
}

interface Answer {
  entries: Entry[]
  next: string | null
}
const NOTHING: Answer = { entries: [], next: null }

/** Newest first, as far as both lists are known. */
export function merge(from: Cursor, assets: Answer, videos: Answer): Page<Entry, Cursor> {
  const items: Entry[] = []
  const taken = { assets: 0, videos: 0 }
  for (;;) {
    const asset = assets.entries[from.assets.skip + taken.assets]
    const video = videos.entries[from.videos.skip + taken.videos]
    // What comes after the end of a page is not known yet, so the other list has to wait for it.
    if ((!asset && assets.next) || (!video && videos.next) || (!asset && !video)) break
    const first = !video || (asset && asset.createdAt >= video.createdAt)
    items.push(first ? asset! : video)
    taken[first ? 'assets' : 'videos'] += 1
  }
  const next = { assets: after(from.assets, taken.assets, assets), videos: after(from.videos, taken.videos, videos) }
  return { items, next: next.assets.ended && next.videos.ended ? null : next }
}

function after(place: Place, taken: number, { entries, next }: Answer): Place {
  const used = place.skip + taken
  if (used < entries.length) return { ...place, skip: used }
  return { cursor: next, skip: 0, ended: next === null }
}

async function pageOfAssets(filters: Filters, place: Place, signal: AbortSignal): Promise<Answer> {
  const { data, meta } = await api('get', '/media/assets', {
    signal,
    query: {
      limit: LIMIT,
      cursor: place.cursor ?? undefined,
      kind: filters.kind === 'image' || filters.kind === 'file' ? filters.kind : undefined,
      q: filters.q || undefined,
      tags: filters.tags || undefined,
      visibility: filters.visibility || undefined,
      processingStatus: filters.status || undefined,
      createdAfter: dayStart(filters.after),
      createdBefore: dayStart(filters.before, 1),
      sort: filters.sort || undefined,
    },
  })
  return { entries: data.map(assetEntry), next: meta.nextCursor ?? null }
}

async function pageOfVideos(filters: Filters, place: Place, signal: AbortSignal): Promise<Answer> {
  const { data, meta } = await api('get', '/media/videos', {
    signal,
    query: {
      limit: LIMIT,
      cursor: place.cursor ?? undefined,
      q: filters.q || undefined,
      tags: filters.tags || undefined,
      visibility: filters.visibility || undefined,
      status: filters.status || undefined,
    },
  })
  return { entries: data.map(videoEntry), next: meta.nextCursor ?? null }
}

/** A day of the person's calendar, in milliseconds. */
function dayStart(day: string, plus = 0): number | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)
  if (!match) return undefined
  return new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + plus).getTime()
}
