/** Frames of an event stream (WHATWG HTML, 9.2.6), whatever pieces they arrive in. Lines end with LF, CR or both. */

export interface Message {
  /** The last id that was sent, in this frame or before it. */
  id: string
  event: string
  data: string
  /** Milliseconds after which to come back, if the frame says so. */
  retry: number | null
}

/** One message for each frame, those without data included: they may carry an id, and show that the line is alive. */
export async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message, void, undefined> {
  let id = ''
  let frame = emptyFrame()
  for await (const line of lines(body)) {
    if (line === '') {
      yield { id, event: frame.event || 'message', data: frame.data.join('\n'), retry: frame.retry }
      frame = emptyFrame()
      continue
    }
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') frame.data.push(value)
    else if (field === 'event') frame.event = value
    else if (field === 'id' && !value.includes('\0')) id = value
    else if (field === 'retry' && /^\d+$/.test(value)) frame.retry = Number(value)
  }
}

function emptyFrame(): { event: string; data: string[]; retry: number | null } {
  return { event: '', data: [], retry: null }
}

/** A line that the end of the stream cuts off is left out. */
async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += decoder.decode(value, { stream: true })
      // A CR at the end may be the first half of a CRLF: it waits for the next piece.
      const pieces = rest.split(/\r\n|\n|\r(?!$)/)
      rest = pieces.pop()!
      yield* pieces
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
