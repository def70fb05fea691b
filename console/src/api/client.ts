/**
 * The client of the API, with the session of this browser:
 *
 *     const { data, meta } = await api('get', '/media/assets', { query: { limit: 48 } })
 *
 * If a read meets a limit or a busy server, it is repeated by itself. A write is never repeated: its screen has
 * shown the change already, and has to say what became of it.
 */
import { Stowboard } from '@stowboard/client'

import { bearerToken, forgetBearer } from './session'

/** No screen waits longer for one answer. */
const TIMEOUT_SECONDS = 300

export const stow = new Stowboard({
  url: location.origin,
  token: (renew) => {
    if (renew) forgetBearer()
    return bearerToken()
  },
  writeRetries: 0,
  timeout: TIMEOUT_SECONDS,
})

/** Any operation of the API's document. Throws StowError, SigningIn, or the reason of the signal. */
export const api = stow.request.bind(stow)
