/** Since when the server cannot be reached: the stream of events ended, or the device says that it is offline. */
import { onConnection, onEvents } from '../api/events'

class Connection {
  #stream = $state<number | null>(null)
  #device = $state<number | null>(navigator.onLine ? null : Date.now())

  constructor() {
    onConnection((lostAt) => (this.#stream = lostAt))
    addEventListener('offline', () => (this.#device ??= Date.now()))
    addEventListener('online', () => (this.#device = null))
  }

  get lostAt(): number | null {
    return this.#device ?? this.#stream
  }
}

/** In the outermost component: the stream is there as long as the console is. */
export function useConnection(): void {
  $effect(() => onEvents('none.', () => {}))
}

export const connection = new Connection()
