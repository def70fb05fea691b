/** How a person wants an import done, and the patience with which it is. */
import { pause } from '../api/client'
import { ApiError } from '../api/errors'

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

const MOST_TRIES = 6

/** Do it, again too if the server is busy or asks to wait. Throws ApiError, or the reason of the signal. */
export async function patiently<T>(act: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted()
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof ApiError) || !error.passes || tries === MOST_TRIES) throw error
      await pause(error.retryAfter ?? tries, signal)
    }
  }
}

/** Why this one was refused. Throws what would refuse the others too. */
export function refusedAlone(error: unknown): string {
  if (error instanceof ApiError && error.status !== 401 && !error.passes) return error.message
  throw error
}
