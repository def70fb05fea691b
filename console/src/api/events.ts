/**
 * What happens on the server, as it happens: one stream for the whole console, read with `fetch`, since `EventSource`
 * cannot carry a bearer. It comes back with the last cursor it saw, so nothing is missed; where that is too old,
 * listeners hear `reset` and ask for everything again.
 */
import { BASE, send } from './client'
import { ApiError } from './errors'
import { SigningIn } from './session'

export interface LiveEvent {
  id: string
  type: string
  subject: string
  data: Record<string, unknown>
}

type Listener = (event: LiveEvent) => void

const RESET = 'reset'
const SLOWEST_MS = 30_000
const listeners = new Map<Listener, string>()
let running: AbortController | null = null
let retryMs = 3000

/** Hear events whose type begins so (`media.`), and `reset`. The first listener opens the stream, the last closes it. */
export function onEvents(prefix: string, listener: Listener): () => void {
  listeners.set(listener, prefix)
  if (!running) void follow((running = new AbortController()))
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) {
      running?.abort()
      running = null
    }
  }
}

async function follow(control: AbortController): Promise<void> {
  let cursor: string | null = null
  for (let failures = 0; !control.signal.aborted;) {
    try {
      const headers: Record<string, string> = cursor ? { 'last-event-id': cursor } : {}
      const answer = await send('GET', `${BASE}/events/stream`, { signal: control.signal, headers })
      if (failures > 0 && !cursor) tell({ id: '', type: RESET, subject: '', data: {} })
      failures = 0
      for await (const message of messages(answer.body!)) {
        if (message.id) cursor = message.id
        if (message.retry) retryMs = message.retry
        if (message.data) tell({ ...(JSON.parse(message.data) as LiveEvent), type: message.event })
        if (message.event === RESET) cursor = null
      }
    } catch (error) {
      if (control.signal.aborted || error instanceof SigningIn) return
      // Without a stream the console works all the same; it only shows what it asked for.
      if (error instanceof ApiError && error.status === 404) return
      failures += 1
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(retryMs * 2 ** Math.max(0, failures - 1), SLOWEST_MS)))
  }
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
