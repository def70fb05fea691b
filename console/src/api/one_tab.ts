/**
 * Lets one tab of this browser do something for all of them; when it is closed, another goes on. A lock of the browser
 * does that. Without locks (plain HTTP from another machine), a note in localStorage says whose turn it is. The tab
 * removes the note when its page is left; if it had no time for that, the note counts for a minute.
 */
const NOTE_LASTS_MS = 70_000
const RENEW_MS = 10_000

/** Runs the work when it is this tab's turn. */
export async function inOneTab(
  name: string,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  try {
    if (navigator.locks) await byLock(name, signal, run)
    else await byNote(name, signal, run)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function byLock(name: string, signal: AbortSignal, run: Parameters<typeof inOneTab>[2]): Promise<void> {
  const free = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock) await run(signal)
    return lock !== null
  })
  if (!free) await navigator.locks.request(name, { signal }, () => run(signal))
}

async function byNote(name: string, signal: AbortSignal, run: Parameters<typeof inOneTab>[2]): Promise<void> {
  const own = String(Math.random())
  const key = `stowboard.${name}`
  const read = () => JSON.parse(localStorage.getItem(key) ?? '{}') as { tab?: string; until?: number }
  const write = () => localStorage.setItem(key, JSON.stringify({ tab: own, until: Date.now() + NOTE_LASTS_MS }))
  const isOthers = () => read().tab !== own && (read().until ?? 0) > Date.now()
  const giveUp = () => read().tab === own && localStorage.removeItem(key)
  while (!signal.aborted) {
    if (isOthers()) {
      await noteChange(key, signal)
      continue
    }
    write()
    const turn = new AbortController()
    const stop = () => turn.abort()
    const timer = setInterval(() => (isOthers() ? stop() : write()), RENEW_MS)
    signal.addEventListener('abort', stop)
    addEventListener('pagehide', giveUp)
    try {
      await run(turn.signal)
    } finally {
      clearInterval(timer)
      removeEventListener('pagehide', giveUp)
      giveUp()
    }
  }
}

function noteChange(key: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(over, RENEW_MS)
    const listen = (event: StorageEvent) => event.key === key && event.newValue === null && over()
    function over() {
      clearTimeout(timer)
      removeEventListener('storage', listen)
      resolve()
    }
    addEventListener('storage', listen)
    signal.addEventListener('abort', over)
  })
}
