/**
 * Events of the server, as they happen. One tab of the browser reads the stream for all of them, since over plain
 * HTTP a browser has six connections to a server, whatever the number of tabs; the others hear it over a channel. It is
 * read with `fetch`, since `EventSource` cannot carry a bearer. It comes back with the last cursor that was seen, so
 * nothing is missed; where that is too old, listeners hear `reset` and ask for everything again.
 */
import { BASE, send } from './client'
import { ApiError } from './errors'
import { inOneTab } from './one_tab'
import { SigningIn } from './session'

export interface LiveEvent {
  id: string
  type: string
  subject: string
  data: Record<string, unknown>
}

type Listener = (event: LiveEvent) => void
/** Between tabs: an event with the cursor after it, since when the stream is lost (null: it is there), or a question. */
type Note =
  { event: LiveEvent; cursor: string | null } | { lostAt: number | null; cursor: string | null } | 'is it there?'

const STREAM = 'events'
const RESET = 'reset'
const SLOWEST_MS = 30_000
const listeners = new Map<Listener, string>()
const watchers = new Set<(lostAt: number | null) => void>()
let running: AbortController | null = null
let channel: BroadcastChannel | null = null
let retryMs = 3000
let cursor: string | null = null
let lostAt: number | null = null
let leading = false

/** Hear events whose type begins so (`media.`), and `reset`. The first listener opens the stream, the last closes it. */
export function onEvents(prefix: string, listener: Listener): () => void {
  listeners.set(listener, prefix)
  if (!running) start((running = new AbortController()))
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) {
      running?.abort()
      channel?.close()
      running = null
      cursor = null
    }
  }
}

/** Hear since when the stream is lost; null while it is there. */
export function onConnection(watcher: (lostAt: number | null) => void): () => void {
  watchers.add(watcher)
  watcher(lostAt)
  return () => watchers.delete(watcher)
}

function start(control: AbortController): void {
  channel = new BroadcastChannel(`stowboard.${STREAM}`)
  channel.onmessage = ({ data }: MessageEvent<Note>) => {
    if (data === 'is it there?') {
      if (leading) post({ lostAt, cursor })
    } else if ('event' in data) {
      cursor = data.cursor
      tell(data.event)
    } else {
      cursor = data.cursor ?? cursor
      connection(data.lostAt)
    }
  }
  post('is it there?')
  void inOneTab(STREAM, control.signal, async (signal, waited) => {
    leading = true
    await follow(signal, waited).finally(() => (leading = false))
  })
}

async function follow(signal: AbortSignal, waited: boolean): Promise<void> {
  for (let failures = waited ? 1 : 0; !signal.aborted;) {
    try {
      const headers: Record<string, string> = cursor ? { 'last-event-id': cursor } : {}
      const answer = await send('GET', `${BASE}/events/stream`, { signal, headers, most: 1 })
      toAll({ lostAt: null, cursor })
      if (failures > 0 && !cursor) toAll({ event: { id: '', type: RESET, subject: '', data: {} }, cursor })
      failures = 0
      for await (const message of messages(answer.body!)) {
        if (message.id) cursor = message.id
        if (message.event === RESET) cursor = null
        if (message.retry) retryMs = message.retry
        if (!message.data) toAll({ lostAt: null, cursor })
        else toAll({ event: { ...(JSON.parse(message.data) as LiveEvent), type: message.event }, cursor })
      }
    } catch (error) {
      if (signal.aborted || error instanceof SigningIn) return
      // Without a stream the console works all the same; it only shows what it asked for.
      if (error instanceof ApiError && error.status === 404) return
      failures += 1
      if (lostAt === null) toAll({ lostAt: Date.now(), cursor })
    }
    if (signal.aborted) return
    await pause(Math.min(retryMs * 2 ** Math.max(0, failures - 1), SLOWEST_MS), signal)
  }
}

/** A pause that ends when the network is back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(over, ms)
    function over() {
      clearTimeout(timer)
      removeEventListener('online', over)
      resolve()
    }
    addEventListener('online', over)
    signal.addEventListener('abort', over)
  })
}

function toAll(note: Exclude<Note, string>): void {
  post(note)
  if ('event' in note) tell(note.event)
  else connection(note.lostAt)
}

function post(note: Note): void {
  try {
    channel?.postMessage(note)
  } catch {
    // It was closed meanwhile.
  }
}

function connection(since: number | null): void {
  lostAt = since
  for (const watcher of watchers) watcher(since)
}

function tell(event: LiveEvent): void {
  for (const [listener, prefix] of listeners) {
    if (event.type === RESET || event.type.startsWith(prefix)) listener(event)
  }
}

export interface Message {
  id: string
  event: string
  data: string
  retry: number
}

/** Frames of an event stream (WHATWG HTML, 9.2.6), whatever pieces they arrive in. */
export async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const frames = (rest + value).split(/\r?\n\r?\n/)
    rest = frames.pop() ?? ''
    for (const text of frames) yield parse(text)
  }
}

function parse(text: string): Message {
  const message: Message = { id: '', event: 'message', data: '', retry: 0 }
  const data: string[] = []
  for (const line of text.split(/\r?\n/)) {
    const [, field, value = ''] = /^(\w+):? ?(.*)$/.exec(line) ?? []
    if (field === 'data') data.push(value)
    else if (field === 'id') message.id = value
    else if (field === 'event') message.event = value
    else if (field === 'retry') message.retry = Number(value) || 0
  }
  message.data = data.join('\n')
  return message
}
