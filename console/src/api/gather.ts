import { back } from './back'
import { isAway } from './errors'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Ids that come one by one are handed over together after a while, one group after the other, with a rest between them.
 * If the server was away, a group is handed over again when it is back.
 */
export function gather(
  ms: number,
  take: (ids: string[]) => unknown,
  restMs = ms,
): { add: (id: string) => void; stop: () => void } {
  const ids = new Set<string>()
  let isRunning = false
  let isOver = false
  async function run() {
    isRunning = true
    for (await pause(ms); ids.size > 0 && !isOver; await pause(restMs)) {
      const some = [...ids]
      ids.clear()
      try {
        await take(some)
      } catch (error) {
        if (!isAway(error)) continue
        some.forEach((id) => ids.add(id))
        await back()
      }
    }
    isRunning = false
  }
  return {
    add: (id) => {
      ids.add(id)
      if (!isRunning) void run()
    },
    stop: () => (isOver = true),
  }
}
