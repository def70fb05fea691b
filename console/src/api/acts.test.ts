import { beforeEach, expect, test } from 'vitest'

import { did, putBack, takeActsOn, takeLastAct, whenUndone } from './acts'

const kept = new Map<string, string>()
beforeEach(() => {
  kept.clear()
  const localStorage = { getItem: (key: string) => kept.get(key) ?? null, setItem: kept.set.bind(kept) }
  Object.assign(globalThis, { localStorage })
})
const ids = (act: { id: string }[] | null) => act?.map(({ id }) => id) ?? null

test('the newest act is taken first, whole, and each once', () => {
  did([{ id: 'a', version: 2 }])
  did([{ id: 'b' }, { id: 'c' }])
  did([{ id: 'a', version: 2 }]) // nothing was different
  expect(ids(takeLastAct())).toEqual(['b', 'c'])
  expect(ids(takeLastAct())).toEqual(['a'])
  expect(takeLastAct()).toBeNull()
})

test('a message undoes the newest change of what it is about', () => {
  did([{ id: 'a', version: 2 }])
  did([
    { id: 'a', version: 3 },
    { id: 'b', version: 7 },
  ])
  expect(takeActsOn(['a'])).toEqual([{ id: 'a', version: 3 }])
  expect(ids(takeLastAct())).toEqual(['b'])
  expect(takeLastAct()).toEqual([{ id: 'a', version: 2 }])
})

test('a list puts back what was taken out of it, once', () => {
  let times = 0
  whenUndone(['a', 'b'], () => (times += 1))
  putBack(['b', 'a'])
  putBack(['b', 'a'])
  expect(times).toBe(1)
})
