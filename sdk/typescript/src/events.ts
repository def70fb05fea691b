/**
 * Events as they happen. The stream is read with `fetch`, since `EventSource` cannot carry a token. A stream that ends
 * or breaks is opened again with the last cursor, so no event is missed or comes twice.
 */
import { ServerFault, Unreachable } from './errors.js'
import type { Schemas } from './operations.js'
import { type Message, messages } from './sse.js'
import { type Transport, addressOf, passes, pause, waitAfter } from './transport.js'

export interface StowEvent {
  id: string
  /** The kind, such as `task.completed`. */
  type: `${string}.${string}`
  timestamp: string
  sequence: number
  subject: string
  data: Record<string, unknown>
  spaceId: string
  actor: Schemas['ActorView'] | null
  /** The cursor behind this event, for the option `after` of a later call. */
  cursor: string
}

/** Events after the cursor are no longer kept: read the present state, and go on with what comes now. */
export interface ResetEvent {
  type: 'reset'
}

export interface EventOptions {
  /** Kinds, such as `task.completed`; `task.*` means all that begin with `task.`. */
  types?: readonly string[]
  /** The id of one task, board, asset or video. */
  subject?: string
  /** Only events of this space; by default of all that the token reaches. */
  spaceId?: string
  /** The cursor of an event; without it the stream begins now. */
  after?: string
  signal?: AbortSignal
  /** Called with true each time that the stream opens, and with false each time that it is lost. */
  onConnection?: (connected: boolean) => void
  /** Called with the cursor to go on from, also while nothing happens; with an empty text after a `reset`. */
  onCursor?: (cursor: string) => void
}

/** A sign of life comes every 15 seconds. */
const SILENCE_MS = 30_000
const FIRST_PAUSE_MS = 3000

/** Goes on until it is left or the signal aborts. Throws StowError if the service refuses the stream. */
export async function* follow(
  transport: Transport,
  options: EventOptions,
): AsyncGenerator<StowEvent | ResetEvent, void, undefined> {
  let cursor = options.after ?? ''
  let pauseMs = FIRST_PAUSE_MS
  for (let failures = 0; ;) {
    try {
      for await (const message of stream(transport, options, cursor)) {
        failures = 0
        if (message.retry !== null) pauseMs = message.retry
        cursor = message.event === 'reset' ? '' : message.id || cursor
        options.onCursor?.(cursor)
        if (message.event === 'reset') yield { type: 'reset' }
        else if (message.data) yield { ...(JSON.parse(message.data) as StowEvent), cursor }
      }
    } catch (error) {
      options.signal?.throwIfAborted()
      if (!passes(error) && !(error instanceof ServerFault)) throw error
      failures += 1
      options.onConnection?.(false)
      await pause(waitAfter(failures, error), options.signal)
      continue
    }
    await pause(pauseMs / 1000, options.signal)
  }
}

async function* stream(
  transport: Transport,
  { types, subject, spaceId, signal, onConnection }: EventOptions,
  cursor: string,
): AsyncGenerator<Message, void, undefined> {
  const address = addressOf('/events/stream', {}, { types, subject, spaceId })
  const silence = new AbortController()
  const stop = AbortSignal.any([silence.signal, ...(signal ? [signal] : [])])
  const headers: Record<string, string> = cursor ? { 'last-event-id': cursor } : {}
  const call = { headers, signal: stop, endless: true, retries: 0 }
  let timer = setTimeout(() => silence.abort(), SILENCE_MS)
  try {
    const answer = await transport.send('GET', address, call, (found) => Promise.resolve(found))
    onConnection?.(true)
    for await (const message of messages(answer.body!)) {
      clearTimeout(timer)
      yield message
      timer = setTimeout(() => silence.abort(), SILENCE_MS)
    }
  } catch (error) {
    signal?.throwIfAborted()
    // A stream that breaks while it is read raises a plain TypeError.
    throw error instanceof TypeError || silence.signal.aborted
      ? new Unreachable('The stream of events broke.', { cause: error })
      : error
  } finally {
    clearTimeout(timer)
  }
}
