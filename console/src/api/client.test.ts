import { ServerFault } from '@stowboard/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { api } from './client'

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
  await expect(call).rejects.toEqual(new ServerFault(503, 'service_unavailable', 'It is service_unavailable.'))
  expect(asked).toHaveLength(1)
  expect((asked[0]![1].headers as Record<string, string>)['idempotency-key']).toMatch(/^[0-9a-f]{32}$/)
})

test('a bearer that is refused is replaced once', async () => {
  answering([401, refusal('token_expired')], [401, refusal('invalid_token')])
  await expect(api('get', '/media/assets')).rejects.toMatchObject({ code: 'invalid_token' })
  expect(asked).toHaveLength(2)
})
