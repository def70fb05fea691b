/**
 * The client of the API, with the session of this browser:
 *
 *     const { data, meta } = await api('get', '/media/assets', { query: { limit: 48 } })
 *
 * A read that meets a busy server is repeated by itself. A write is repeated only if it met the rate limit: its screen has
 * shown the change already, and has to say what became of it. What a person then tries again keeps its key, so that
 * it counts once even if only the answer was lost.
 */
import { newKey, Stowboard } from '@stowboard/client'

import { isAway } from './errors'
import { bearerToken, forgetBearer } from './session'

/** No screen waits longer for one answer. */
const TIMEOUT_SECONDS = 300

const MOST_KEYS = 100
/** Keys of writes without an answer, by what they ask. */
const unanswered = new Map<string, string>()
let repeating = 0

/** Does again what has failed: a write that had no answer is the same write. */
export async function repeat(act: () => unknown): Promise<void> {
  repeating += 1
  try {
    await act()
  } finally {
    repeating -= 1
  }
}

export const stow = new Stowboard({
  url: location.origin,
  token: (renew) => {
    if (renew) forgetBearer()
    return bearerToken()
  },
  writeRetries: 0,
  timeout: TIMEOUT_SECONDS,
})

const send = stow.request.bind(stow) as (method: string, path: string, ask: object) => Promise<unknown>
stow.request = (async (method: string, path: string, ask: { idempotencyKey?: string } = {}) => {
  if (method === 'get' || ask.idempotencyKey) return send(method, path, ask)
  const what = JSON.stringify([method, path, ask])
  const idempotencyKey = (repeating > 0 && unanswered.get(what)) || newKey()
  unanswered.delete(what)
  try {
    return await send(method, path, { ...ask, idempotencyKey })
  } catch (error) {
    if (isAway(error)) unanswered.set(what, idempotencyKey)
    if (unanswered.size > MOST_KEYS) unanswered.delete(unanswered.keys().next().value!)
    throw error
  }
}) as typeof stow.request

/** Any operation of the API's document. Throws StowError, SigningIn, or the reason of the signal. */
export const api = stow.request
