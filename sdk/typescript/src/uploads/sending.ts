/** One request with bytes in it. `fetch` does not tell how far a body is, so XMLHttpRequest sends it where there is one. */
import { type Refusal, Unreachable, refusalOf } from '../errors.js'
import type { Transport } from '../transport.js'

export interface ByteRequest {
  method: string
  address: string
  headers?: Record<string, string>
  body?: Blob | FormData | ArrayBuffer
  signal?: AbortSignal
  /** Called with the number of bytes of the body that are on their way. */
  onSent?: (bytes: number) => void
}

/** Throws ApiError, Unreachable, or the reason of the signal. */
export async function sendBytes(transport: Transport, request: ByteRequest): Promise<Refusal> {
  request.signal?.throwIfAborted()
  const answer = await (request.onSent && !transport.hasOwnFetch && 'XMLHttpRequest' in globalThis
    ? byRequest(request)
    : byFetch(transport, request))
  if (answer.status >= 300) throw refusalOf(answer)
  return answer
}

function byRequest({ method, address, headers = {}, body, signal, onSent }: ByteRequest): Promise<Refusal> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = () => {
      request.abort()
      reject(signal!.reason as Error)
    }
    request.open(method, address)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => onSent!(loaded)
    request.onload = () =>
      resolve({
        status: request.status,
        header: (name) => request.getResponseHeader(name),
        text: request.responseText,
      })
    request.onerror = () => reject(new Unreachable('The connection was lost.'))
    request.onloadend = () => signal?.removeEventListener('abort', stop)
    signal?.addEventListener('abort', stop)
    request.send(body ?? null)
  })
}

async function byFetch(
  transport: Transport,
  { method, address, headers, body, signal }: ByteRequest,
): Promise<Refusal> {
  try {
    const answer = await transport.fetch(address, { method, headers, body, signal })
    const text = await answer.text()
    return { status: answer.status, header: (name) => answer.headers.get(name), text }
  } catch (error) {
    signal?.throwIfAborted()
    throw new Unreachable('The connection was lost.', { cause: error })
  }
}
