/** The wishes of a person for an import, and how patient it is. */
import { ApiError, RateLimited, ServerFault, Unauthorized } from '@stowboard/client'

import { reasonOf } from '../api/errors'

export interface ImportWishes {
  spaceId: string
  /** Usernames, by the names of the other program. */
  people: Map<string, string>
  fetchFiles: boolean
  /** The time zone of dates that name none. */
  zone: string
  /** Only looks, and makes nothing. */
  isDry: boolean
  signal: AbortSignal
  onstep: (finished: number) => void
}

/** The number of times that a step is repeated while the server is busy or asks to wait. */
export const PATIENCE = { retries: 5 }
const REFUSE_ALL = [Unauthorized, RateLimited, ServerFault]

/** The reason why this one was refused. Throws an error that would refuse the others too. */
export function refusedAlone(error: unknown): string {
  if (!(error instanceof ApiError) || REFUSE_ALL.some((kind) => error instanceof kind)) throw error
  return reasonOf(error)
}
