/** How a person wants an import done, and the patience with which it is. */
import { ApiError, RateLimited, ServerFault, Unauthorized } from '@stowboard/client'

import { reasonOf } from '../api/errors'

export interface ImportWishes {
  spaceId: string
  /** Usernames, by the names of the other program. */
  people: Map<string, string>
  fetchFiles: boolean
  /** The time zone of dates that name none. */
  zone: string
  /** Makes nothing. */
  isDry: boolean
  signal: AbortSignal
  onstep: (finished: number) => void
}

/** So often a step is tried again while the server is busy or asks to wait. */
export const PATIENCE = { retries: 5 }
const REFUSE_ALL = [Unauthorized, RateLimited, ServerFault]

/** Why this one was refused. Throws what would refuse the others too. */
export function refusedAlone(error: unknown): string {
  if (!(error instanceof ApiError) || REFUSE_ALL.some((kind) => error instanceof kind)) throw error
  return reasonOf(error)
}
