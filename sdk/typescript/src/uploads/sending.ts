/** One request with bytes in it. `fetch` does not tell how far a body is, so XMLHttpRequest sends it where there is one. */
import { type Refusal, TimedOut, Unreachable, refusalOf } from '../errors.js'
import type { Transport } from '../transport.js'

/** The slowest connection that is waited for, as the service does. */
const BYTES_A_SECOND = 32 * 1024

export interface ByteRequest {
  method: string
  address: string
  headers?: Record<string, string>
  body?: Blob | FormData | ArrayBuffer
  /** About the size of the body, if the body does not tell. */
  bytes?: number
  signal?: AbortSignal
  /** Called with the number of bytes of the body that are on their way. */
  onSent?: (bytes: number) => void
}

/** Throws ApiError, Unreachable, TimedOut, or the reason of the signal. */
export async function sendBytes(transport: Transport, request: ByteRequest): Promise<Refusal> {
  request.signal?.throwIfAborted()
  const limit = new AbortController()
  const late = () => limit.abort(new TimedOut(`${request.method} was not answered in time.`))
  const timed = { ...request, signal: AbortSignal.any([limit.signal, ...(request.signal ? [request.signal] : [])]) }
  const seconds = transport.timeoutSeconds
  try {
    const answer = await (request.onSent && !transport.hasOwnFetch && 'XMLHttpRequest' in globalThis
      ? byRequest(timed, seconds, late)
      : byFetch(transport, timed, seconds, late))
    if (answer.status >= 300) throw refusalOf(answer)
    return answer
  } catch (error) {
    request.signal?.throwIfAborted()
    throw limit.signal.aborted ? limit.signal.reason : error
  }
}

/** Late is a request of which nothing was heard for so many seconds: no byte has left, and no answer has come. */
function byRequest(
  { method, address, headers = {}, body, signal, onSent }: ByteRequest,
  seconds: number,
  late: () => void,
): Promise<Refusal> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    let timer = setTimeout(late, seconds * 1000)
    const stop = () => {
      request.abort()
      reject(signal!.reason as Error)
    }
    request.open(method, address)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => {
      clearTimeout(timer)
      timer = setTimeout(late, seconds * 1000)
      onSent!(loaded)
    }
    request.onload = () =>
      resolve({
        status: request.status,
        header: (name) => request.getResponseHeader(name),
        text: request.responseText,
      })
    request.onerror = () => reject(new Unreachable('The connection was lost.'))
    request.onloadend = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
    signal?.addEventListener('abort', stop)
    request.send(body ?? null)
  })
}

/** `fetch` does not tell how far the bytes are, so the limit is that of the slowest connection. */
async function byFetch(
  transport: Transport,
  { method, address, headers, body, bytes, signal }: ByteRequest,
  seconds: number,
  late: () => void,
): Promise<Refusal> {
  const size = bytes ?? (body instanceof Blob ? body.size : body instanceof ArrayBuffer ? body.byteLength : 0)
  const timer = setTimeout(late, (seconds + size / BYTES_A_SECOND) * 1000)
  try {
    const answer = await transport.fetch(address, { method, headers, body, signal })
    const text = await answer.text()
    return { status: answer.status, header: (name) => answer.headers.get(name), text }
  } catch (error) {
    throw new Unreachable('The connection was lost.', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
