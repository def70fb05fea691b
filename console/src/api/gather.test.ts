import { Unreachable } from '@stowboard/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { gather } from './gather'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('ids are handed over together, with a rest between two groups, and each once', async () => {
  const taken: string[][] = []
  const { add } = gather(150, (ids) => taken.push(ids), 1000)
  for (let at = 0; at < 300; at += 1) {
    add(`id_${at}`)
    await vi.advanceTimersByTimeAsync(10)
  }
  await vi.runAllTimersAsync()
  expect(taken.length).toBeLessThanOrEqual(4)
  expect(taken.flat()).toEqual(Array.from({ length: 300 }, (_, at) => `id_${at}`))
})

test('what could not be read is handed over again when the server is back, with what came meanwhile', async () => {
  const taken: string[][] = []
  let away = true
  const { add, stop } = gather(10, (ids) => {
    taken.push(ids)
    if (away) throw new Unreachable('Away.')
  })
  add('first')
  await vi.advanceTimersByTimeAsync(100)
  add('second')
  away = false
  dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(100)
  expect(taken).toEqual([['first'], ['first', 'second']].map((ids) => expect.arrayContaining(ids)))
  stop()
})
