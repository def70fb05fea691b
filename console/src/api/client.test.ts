import { ServerFault } from '@stowboard/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { api, repeat } from './client'

type Answer = [status: number, body: unknown, headers?: Record<string, string>]
let asked: [string, RequestInit][]

function answering(...answers: Answer[]) {
  vi.stubGlobal('fetch', (address: string, request: RequestInit) => {
    if (address === '/session/token') return Promise.resolve(Response.json({ access_token: 'stow_x', expires_in: 600 }))
    asked.push([address, request])
    const [status, body, headers] = answers.shift() ?? [500, {}]
    return Promise.resolve(Response.json(body, { status, headers }))
  })
}
const keys = () => asked.map(([, { headers }]) => (headers as Record<string, string>)['idempotency-key'])
const complete = () => api('post', '/taskapp/tasks/{task_id}/complete', { path: { task_id: 'tsk_1' } })
const refusal = (code: string) => ({ error: { code, message: `It is ${code}.` } })
const page = { data: [], meta: { nextCursor: null, hasMore: false } }

beforeEach(() => (asked = []))
afterEach(() => vi.unstubAllGlobals())

test('a read that meets the limit is asked again after the time that it is told', async () => {
  answering([429, refusal('rate_limited'), { 'retry-after': '0.01' }], [200, page])
  expect(await api('get', '/media/assets')).toEqual(page)
  expect(asked).toHaveLength(2)
})

test('a write that fails is not sent again by itself, and carries a key', async () => {
  answering([503, refusal('service_unavailable')])
  const call = api('post', '/media/assets/batch-delete', { body: { ids: ['a'] } })
  await expect(call).rejects.toBeInstanceOf(ServerFault)
  expect(keys()).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
})

test('a write that meets the limit is sent again after the time that it is told', async () => {
  const limited: Answer = [429, refusal('rate_limited'), { 'retry-after': '0.01' }]
  answering(limited, limited, limited, limited, limited, [200, page])
  expect(await complete()).toEqual(page)
  expect(new Set(keys()).size).toBe(1)
})

test('a repeat after no answer is the same write; a new act, or one after a refusal, is another', async () => {
  answering([502, 'a proxy'], [502, 'a proxy'], [409, refusal('conflict')], [200, page], [502, ''], [200, page])
  await complete().catch(() => {})
  await repeat(() => complete().catch(() => {}))
  await repeat(() => complete().catch(() => {}))
  await repeat(complete)
  await complete().catch(() => {})
  await complete()
  const [first, ...others] = keys()
  expect(others.slice(0, 2)).toEqual([first, first])
  expect(new Set(keys()).size).toBe(4)
})

test('a bearer that is refused is replaced once', async () => {
  answering([401, refusal('token_expired')], [401, refusal('invalid_token')])
  await expect(api('get', '/media/assets')).rejects.toMatchObject({ code: 'invalid_token' })
  expect(asked).toHaveLength(2)
})
