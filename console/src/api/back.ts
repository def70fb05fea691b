/** What failed because the server was away is done again when it is back. */
import { isAway } from './errors'
import { onConnection } from './events'

const LEAST_MS = 1000
const MOST_MS = 15_000

/** Resolves at the next sign that the server is there, at the latest after a while. */
export function back(): Promise<void> {
  return new Promise((resolve) => {
    const begun = Date.now()
    const stop = onConnection((lostAt) => lostAt === null && Date.now() - begun > LEAST_MS && end())
    const timer = setTimeout(end, MOST_MS)
    addEventListener('online', end)
    function end() {
      clearTimeout(timer)
      removeEventListener('online', end)
      stop()
      resolve()
    }
  })
}

/** After a failure: runs this when the server is back, if the server was away. */
export function again(error: unknown, run: () => void): void {
  if (isAway(error)) void back().then(run)
}
