import { Unreachable } from '@stowboard/client'
import { expect, test } from 'vitest'

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
    failing ? Promise.reject(new Unreachable('Busy.')) : Promise.resolve(numbers(Number(cursor ?? 0))),
  )
  await settle()
  expect(list.error).toEqual(new Unreachable('Busy.'))
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

test('what was changed elsewhere is shown where it stands, and what is new comes first, once', async () => {
  const list = new PagedList<Item & { name?: string }>((cursor) => Promise.resolve(numbers(Number(cursor ?? 0))))
  await settle()
  list.put([
    { id: '2', name: 'renamed' },
    { id: 'unknown', name: 'not in the list' },
  ])
  expect(list.slice(2, 3)).toEqual([{ id: '2', name: 'renamed' }])
  list.addFirst([{ id: 'new' }, { id: '2' }])
  list.addFirst([{ id: 'new' }])
  expect(list.count).toBe(SIZE + 1)
  expect(list.slice(0, 2)).toEqual([{ id: 'new' }, { id: '0' }])
})

test('a page that was given up and does not come back is asked for again when one returns to it', async () => {
  let failing = false
  const list = new PagedList<Item>((cursor) =>
    failing ? Promise.reject(new Unreachable('Gone.')) : Promise.resolve(numbers(Number(cursor ?? 0))),
  )
  await scrolledToTheEnd(list)
  failing = true
  list.show(0, 10)
  await settle()
  expect(list.slice(0, 1)).toEqual([null])
  failing = false
  list.show(0, 10)
  await settle()
  expect(list.slice(0, 1)).toEqual([{ id: '0' }])
})

test('an answer that comes after the list was left is not taken', async () => {
  let answer: (page: ReturnType<typeof numbers>) => void = () => {}
  const list = new PagedList<Item>((_, signal) => {
    return new Promise((resolve, reject) => {
      answer = resolve
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  })
  await settle()
  list.stop()
  answer(numbers(0))
  await settle()
  expect([list.count, list.error]).toEqual([0, null])
})
