/** The entries of the library: assets, videos, or both in one order. Filters are in the address, so a view can be shared. */
import { stow } from '../api/client'
import { assetEntry, type Entry, videoEntry } from '../api/media'
import type { Schemas } from '../api/queries'
import { spaces } from '../api/spaces.svelte'
import { fromWallClock } from '../shell/person_time.svelte'
import type { Page } from '../shell/lists/paged.svelte'

export const KINDS = ['all', 'image', 'video', 'file'] as const
export type KindFilter = (typeof KINDS)[number]
/** The orders that the library offers; the API knows more. */
export const ORDERS = ['', 'createdAt', '-takenAt', 'takenAt', 'filename', '-size', 'size', '-updatedAt'] as const

export interface Filters {
  /** A space, or `all`. */
  space: string
  kind: KindFilter
  q: string
  tags: string
  visibility: '' | 'public' | 'protected'
  status: '' | 'ready' | 'processing' | 'failed'
  after: string
  before: string
  sort: (typeof ORDERS)[number]
  /** A time at which the list begins; entries before it in the order are above. Null at the start. */
  at: number | null
}

/** The place in both lists: a cursor, and how many entries of its page were shown already. */
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
  const sort = text('sort') as Filters['sort']
  return {
    space: spaces.open,
    kind: KINDS.includes(kind) ? kind : 'all',
    q: text('q'),
    tags: text('tag'),
    visibility: text('visibility') as Filters['visibility'],
    status: text('status') as Filters['status'],
    after: text('after'),
    before: text('before'),
    sort: ORDERS.includes(sort) ? sort : '',
    at: isByUpload(sort) ? Number(text('at')) || null : null,
  }
}

/** True for an order in which the scrubber moves. */
export const isByUpload = (sort: string): boolean => sort === '' || sort === 'createdAt'

/** The same entries the other way round, from where `at` is. */
export function backwards(filters: Filters): Filters {
  return { ...filters, sort: filters.sort === '' ? 'createdAt' : '' }
}

export function isFiltered(filters: Filters): boolean {
  const { kind, q, tags, visibility, status, after, before } = filters
  return kind !== 'all' || [q, tags, visibility, status, after, before].some(Boolean)
}

/** Throws StowError. */
export async function fetchEntries(
  filters: Filters,
  cursor: Cursor | null,
  signal: AbortSignal,
): Promise<Page<Entry, Cursor>> {
  const from = cursor ?? START
  const [assets, videos] = await Promise.all([
    filters.kind === 'video' || from.assets.ended ? NOTHING : pageOfAssets(filters, from.assets, signal),
    filters.kind === 'image' || filters.kind === 'file' || from.videos.ended
      ? NOTHING
      : pageOfVideos(filters, from.videos, signal),
  ])
  return merge(from, assets, videos, filters.sort)
}

interface Answer {
  entries: Entry[]
  next: string | null
}
const NOTHING: Answer = { entries: [], next: null }

/** Both lists as one, as far as both are known; newest first, unless another order is asked for. */
export function merge(from: Cursor, assets: Answer, videos: Answer, sort: Filters['sort'] = ''): Page<Entry, Cursor> {
  const items: Entry[] = []
  const taken = { assets: 0, videos: 0 }
  for (;;) {
    const asset = assets.entries[from.assets.skip + taken.assets]
    const video = videos.entries[from.videos.skip + taken.videos]
    // The entry after the end of a page is not known yet, so the other list has to wait for it.
    if ((!asset && assets.next) || (!video && videos.next) || (!asset && !video)) break
    const first = !video || (asset && comesFirst(asset, video, sort))
    items.push(first ? asset! : video)
    taken[first ? 'assets' : 'videos'] += 1
  }
  const next = { assets: after(from.assets, taken.assets, assets), videos: after(from.videos, taken.videos, videos) }
  return { items, next: next.assets.ended && next.videos.ended ? null : next }
}

/** True if the asset comes before the video. A video without a size comes last. */
function comesFirst(asset: Entry, video: Entry, sort: Filters['sort']): boolean {
  if (sort === 'createdAt') return asset.createdAt <= video.createdAt
  if (sort === 'filename') return asset.name <= video.name
  if (sort === '-updatedAt') return asset.asset!.updatedAt >= video.video!.updatedAt
  if (sort.endsWith('takenAt')) return true // no video has a date
  if (sort === 'size') return asset.asset!.size <= (video.video!.size ?? Infinity)
  if (sort === '-size') return asset.asset!.size >= (video.video!.size ?? -1)
  return asset.createdAt >= video.createdAt
}

function after(place: Place, taken: number, { entries, next }: Answer): Place {
  const used = place.skip + taken
  if (used < entries.length) return { ...place, skip: used }
  return { cursor: next, skip: 0, ended: next === null }
}

async function pageOfAssets(filters: Filters, place: Place, signal: AbortSignal): Promise<Answer> {
  const query = {
    limit: LIMIT,
    spaceId: filters.space,
    kind: filters.kind === 'image' || filters.kind === 'file' ? filters.kind : undefined,
    q: filters.q,
    tags: filters.tags,
    visibility: filters.visibility || undefined,
    processingStatus: filters.status || undefined,
    ...uploaded(filters),
    sort: filters.sort || undefined,
  }
  const { data, next } = await stow.assets.list(query, { signal }).page(place.cursor)
  return { entries: data.map(assetEntry), next }
}

const VIDEO_ORDERS: Record<Filters['sort'], Schemas['VideoSort'] | undefined> = {
  '': undefined,
  createdAt: 'createdAt',
  filename: 'title',
  '-updatedAt': '-updatedAt',
  '-size': '-size',
  size: 'size',
  '-takenAt': undefined,
  takenAt: undefined,
}

async function pageOfVideos(filters: Filters, place: Place, signal: AbortSignal): Promise<Answer> {
  const query = {
    limit: LIMIT,
    spaceId: filters.space,
    q: filters.q,
    tags: filters.tags,
    visibility: filters.visibility || undefined,
    status: filters.status || undefined,
    ...uploaded(filters),
    sort: VIDEO_ORDERS[filters.sort],
  }
  const { data, next } = await stow.videos.list(query, { signal }).page(place.cursor)
  return { entries: data.map(videoEntry), next }
}

/** Bounds of the time of the upload: the days of the filter, and `at`. */
function uploaded({ after, before, sort, at }: Filters): { createdAfter?: number; createdBefore?: number } {
  const [first, last] = [dayStart(after), dayStart(before, 1)]
  if (at === null) return { createdAfter: first, createdBefore: last }
  if (sort === 'createdAt') return { createdAfter: Math.max(first ?? 0, at), createdBefore: last }
  return { createdAfter: first, createdBefore: Math.min(last ?? Infinity, at) }
}

/** A day of the person's calendar, in milliseconds. */
function dayStart(day: string, plus = 0): number | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)
  if (!match) return undefined
  return fromWallClock(Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + plus))
}
