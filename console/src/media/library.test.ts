import { expect, test } from 'vitest'

import type { Entry } from '../api/media'
import { type Cursor, merge } from './library'

const START: Cursor = {
  assets: { cursor: null, skip: 0, ended: false },
  videos: { cursor: null, skip: 0, ended: false },
}
const entries = (...times: number[]) => times.map((createdAt) => ({ id: String(createdAt), createdAt }) as Entry)

/** A list of two pages, as the API gives it. */
function source(times: number[], size: number) {
  return (place: Cursor['assets']) => {
    if (place.ended) return { entries: [], next: null }
    const from = Number(place.cursor ?? 0)
    return {
      entries: entries(...times.slice(from, from + size)),
      next: from + size < times.length ? String(from + size) : null,
    }
  }
}

test('two lists become one by date, each item once, however their pages fall', () => {
  const assets = source([99, 97, 90, 80, 70, 10], 2)
  const videos = source([98, 96, 95, 94, 20], 3)
  const seen: number[] = []
  for (let cursor: Cursor | null = START; cursor;) {
    const page: ReturnType<typeof merge> = merge(cursor, assets(cursor.assets), videos(cursor.videos))
    expect(page.items.length).toBeGreaterThan(0)
    seen.push(...page.items.map((entry) => entry.createdAt))
    cursor = page.next
  }
  expect(seen).toEqual([99, 98, 97, 96, 95, 94, 90, 80, 70, 20, 10])
})

test('one list alone is given as it is', () => {
  const page = merge(START, { entries: entries(3, 2), next: null }, { entries: [], next: null })
  expect(page.items).toHaveLength(2)
  expect(page.next).toBeNull()
})

test('in every order both lists are one', () => {
  const asset = (name: string, createdAt: number, updatedAt: number, size: number) =>
    ({ id: name, name, createdAt, asset: { updatedAt, size } }) as Entry
  const video = (name: string, createdAt: number, updatedAt: number, size: number | null) =>
    ({ id: name, name, createdAt, video: { updatedAt, size } }) as Entry
  const ordered = (sort: Parameters<typeof merge>[3], assets: Entry[], videos: Entry[]) =>
    merge(START, { entries: assets, next: null }, { entries: videos, next: null }, sort).items.map(({ name }) => name)
  const [apple, cherry] = [asset('apple', 1, 9, 10), asset('cherry', 4, 5, 30)]
  const [berry, date] = [video('berry', 2, 6, null), video('date', 3, 7, 20)]
  expect(ordered('', [cherry, apple], [date, berry])).toEqual(['cherry', 'date', 'berry', 'apple'])
  expect(ordered('createdAt', [apple, cherry], [berry, date])).toEqual(['apple', 'berry', 'date', 'cherry'])
  expect(ordered('filename', [apple, cherry], [berry, date])).toEqual(['apple', 'berry', 'cherry', 'date'])
  expect(ordered('-updatedAt', [apple, cherry], [date, berry])).toEqual(['apple', 'date', 'berry', 'cherry'])
  expect(ordered('-size', [cherry, apple], [date, berry])).toEqual(['cherry', 'date', 'apple', 'berry'])
})
