import { expect, test } from 'vitest'

import { ApiError } from '../../api/errors'
import { PagedList } from './paged.svelte'

interface Item {
  id: string
}
const TOTAL = 1000
const SIZE = 20

function numbers(from: number): { items: Item[]; next: string | null } {
  const items = Array.from({ length: Math.min(SIZE, TOTAL - from) }, (_, index) => ({ id: String(from + index) }))
  return { items, next: from + SIZE < TOTAL ? String(from + SIZE) : null }
}
const settle = () => new Promise((resolve) => setTimeout(resolve))

async function scrolledToTheEnd(list: PagedList<Item>) {
  await settle()
  while (!list.ended) {
    list.show(list.count - SIZE, list.count)
    await settle()
  }
}

test('however far one scrolls, little is in memory, and what was given up comes back', async () => {
  const asked: (string | null)[] = []
  const list = new PagedList<Item>((cursor) => (asked.push(cursor), Promise.resolve(numbers(Number(cursor ?? 0)))))
  await scrolledToTheEnd(list)
  expect(list.count).toBe(TOTAL)
  expect(list.loaded.length).toBeLessThanOrEqual(SIZE * 15)
  expect(list.slice(0, 2)).toEqual([null, null])
  list.show(0, 10)
  await settle()
  expect(list.slice(0, 2)).toEqual([{ id: '0' }, { id: '1' }])
  expect(asked.filter((cursor) => cursor === null)).toHaveLength(2)
})

test('a page that fails is told, and asked for again when one says so', async () => {
  let failing = true
  const list = new PagedList<Item>((cursor) =>
    failing
      ? Promise.reject(new ApiError(503, 'service_unavailable', 'Busy.'))
      : Promise.resolve(numbers(Number(cursor ?? 0))),
  )
  await settle()
  expect(list.error?.code).toBe('service_unavailable')
  failing = false
  list.retry()
  await settle()
  expect(list.count).toBe(SIZE)
})

test('what is removed can be put back where it was', async () => {
  const list = new PagedList<Item>((cursor) => Promise.resolve(numbers(Number(cursor ?? 0))))
  await settle()
  const putBack = list.snapshot()
  list.remove(new Set(['3', '4']))
  expect(list.count).toBe(SIZE - 2)
  putBack()
  expect(list.indexOf('4')).toBe(4)
})
