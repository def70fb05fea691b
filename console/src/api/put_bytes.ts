/** One PUT of a file to an address that was announced. By XMLHttpRequest, since `fetch` does not tell how far it is. */
import { ApiError, forPeople } from './errors'

/** Throws ApiError, or the reason of the signal. */
export function putBytes(
  address: string,
  file: File,
  onProgress: (sent: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', address)
    request.upload.onprogress = (event) => onProgress(event.loaded)
    request.onload = () => (request.status < 300 ? resolve() : reject(refusal(request)))
    request.onerror = () => reject(new ApiError(0, 'unreachable', 'The connection was lost.'))
    signal?.addEventListener('abort', () => (request.abort(), reject(signal.reason as Error)))
    request.send(file)
  })
}

function refusal(request: XMLHttpRequest): ApiError {
  try {
    const { error } = JSON.parse(request.responseText) as { error: { code: string; message: string } }
    return new ApiError(request.status, error.code, forPeople(error.code, error.message))
  } catch {
    return new ApiError(request.status, 'unknown', `The server answered ${request.status}.`)
  }
}
