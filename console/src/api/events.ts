/**
 * Events of the server, as they happen. One tab of the browser reads the stream and hands the events to the other tabs
 * over a channel, since over plain HTTP a browser has six connections to a server, whatever the number of tabs. The
 * stream begins before the first read of the page, and another tab goes on at the last cursor, so nothing is missed. If
 * that cursor is too old, listeners hear `reset` and ask for everything again.
 */
import { NotFound, type StowEvent } from '@stowboard/client'

import { stow } from './client'
import { inOneTab } from './one_tab'
import { firstCursor, SigningIn } from './session'

export type LiveEvent = Pick<StowEvent, 'subject' | 'data'> & { type: string }

type Listener = (event: LiveEvent) => void
/** Between tabs: an event with the cursor after it; since when the stream is lost (null: it is there); a question. */
type Note =
  { event: LiveEvent; cursor: string | null } | { lostAt: number | null; cursor: string | null } | 'is it there?'

const STREAM = 'events'
const RESET: LiveEvent = { type: 'reset', subject: '', data: {} }
const listeners = new Map<Listener, string>()
const watchers = new Set<(lostAt: number | null) => void>()
let running: AbortController | null = null
let channel: BroadcastChannel | null = null
let cursor: string | null = null
let lostAt: number | null = null
let leading = false

/** Hear events with this prefix (`media.`), and `reset`. The first listener opens the stream, the last closes it. */
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
  void inOneTab(STREAM, control.signal, async (signal) => {
    leading = true
    await follow(signal).finally(() => (leading = false))
  })
}

async function follow(signal: AbortSignal): Promise<void> {
  let missed = true
  cursor ??= await firstCursor().catch(() => null)
  const connected = (there: boolean) => {
    if (!there) toAll({ lostAt: lostAt ?? Date.now(), cursor })
    else {
      toAll({ lostAt: null, cursor })
      if (missed && !cursor) toAll({ event: RESET, cursor })
    }
    missed = !there
  }
  const onCursor = (at: string) => {
    cursor = at || null
    toAll({ lostAt: null, cursor })
  }
  try {
    for await (const event of stow.events({ after: cursor ?? undefined, signal, onConnection: connected, onCursor }))
      toAll({ event: { ...RESET, ...event }, cursor })
  } catch (error) {
    // Without a stream the console works all the same; it only shows what it asked for.
    if (!signal.aborted && !(error instanceof SigningIn || error instanceof NotFound)) connected(false)
  }
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
    // The stream was closed meanwhile.
  }
}

function connection(since: number | null): void {
  lostAt = since
  for (const watcher of watchers) watcher(since)
}

function tell(event: LiveEvent): void {
  for (const [listener, prefix] of listeners) {
    if (event.type === RESET.type || event.type.startsWith(prefix)) listener(event)
  }
}
