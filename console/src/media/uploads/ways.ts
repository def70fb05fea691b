/**
 * How bytes travel, by their size: small ones inside one request, middling ones by one PUT to an address that was
 * announced, large ones and videos resumably over TUS. All end with an asset or a video on the server.
 */
import type { DetailedError } from 'tus-js-client'

import { base64 } from '../../api/base64'
import { api } from '../../api/client'
import { ApiError } from '../../api/errors'

/** The upload whose bytes travel: what it is, and where the way notes its id, its address and how far it is. */
export interface Traveller {
  readonly type: string
  readonly size: number
  readonly requestKey: string
  readonly tags: string[]
  id: string | null
  address: string | null
  progress(sent: number): void
}

export type Way = 'inline' | 'put' | 'tus' | 'video'

const INLINE_BYTES = 7 * 1024 * 1024
const PUT_BYTES = 32 * 1024 * 1024
const RETRY_MS = [300, 1000, 2000, 4000, 8000, 15_000, 30_000]
/** What the server takes as an image; other pictures come in as files. */
const IMAGES = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/heic',
  'image/heif',
  'image/tiff',
]

export function wayFor(type: string, size: number): Way {
  if (type.startsWith('video/')) return 'video'
  if (size <= INLINE_BYTES) return 'inline'
  return size <= PUT_BYTES ? 'put' : 'tus'
}

/** Throws ApiError or what stopped the transfer; AbortError if it was paused. */
export async function finishWay(upload: Traveller, file: File, signal: AbortSignal, onKept: () => void): Promise<void> {
  const way = wayFor(upload.type, upload.size)
  if (way === 'inline') return sendInline(upload, file, signal)
  if (way === 'video') return sendVideo(upload, file, signal, onKept)
  await announce(upload, file, way)
  onKept()
  if (way === 'put') await put(upload, file, signal)
  else await sendByTus(upload, file, signal)
}

async function sendInline(upload: Traveller, file: File, signal: AbortSignal): Promise<void> {
  const body = { filename: file.name, data: await base64(file), tags: upload.tags }
  const options = { body, signal, key: upload.requestKey }
  const { data } = IMAGES.includes(file.type)
    ? await api('post', '/media/upload/image', options)
    : await api('post', '/media/upload/file', options)
  upload.id = data.id
}

async function announce(upload: Traveller, file: File, way: Way): Promise<void> {
  if (upload.address) return
  const body = { filename: file.name, size: file.size, mimeType: file.type || null, tags: upload.tags }
  const { data } = await api('post', '/media/upload/presigned', { body, key: upload.requestKey })
  upload.id = data.id
  upload.address = way === 'put' ? data.uploadUrl : data.tusUploadUrl
}

/** `fetch` does not tell how far it is, so this is the older way. */
function put(upload: Traveller, file: File, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', upload.address!)
    request.upload.onprogress = (event) => upload.progress(event.loaded)
    request.onload = () => (request.status < 300 ? resolve() : reject(refusal(request)))
    request.onerror = () => reject(new ApiError(0, 'unreachable', 'The connection was lost.'))
    signal.addEventListener('abort', () => (request.abort(), reject(signal.reason)))
    request.send(file)
  })
}

function refusal(request: XMLHttpRequest): ApiError {
  try {
    const { error } = JSON.parse(request.responseText) as { error: { code: string; message: string } }
    return new ApiError(request.status, error.code, error.message)
  } catch {
    return new ApiError(request.status, 'unknown', `The server answered ${request.status}.`)
  }
}

async function sendVideo(upload: Traveller, file: File, signal: AbortSignal, onKept: () => void): Promise<void> {
  if (!upload.address) {
    const title = file.name.replace(/\.\w+$/, '')
    const body = { title, size: file.size, mimeType: file.type, tags: upload.tags }
    const { data } = await api('post', '/media/videos/upload', { body, key: upload.requestKey })
    upload.id = data.id
    upload.address = data.tusUploadUrl ?? null
  }
  onKept()
  await sendByTus(upload, file, signal)
  await api('post', '/media/videos/{video_id}/finalize', { path: { video_id: upload.id! } })
}

async function sendByTus(upload: Traveller, file: File, signal: AbortSignal): Promise<void> {
  const tus = await import('tus-js-client')
  await new Promise<void>((resolve, reject) => {
    const transfer = new tus.Upload(file, {
      uploadUrl: upload.address!,
      retryDelays: RETRY_MS,
      storeFingerprintForResuming: false, // what is kept is ours
      onProgress: (sent) => upload.progress(sent),
      onSuccess: () => resolve(),
      onError: (error) => reject(refusedByTus(error)),
    })
    signal.addEventListener('abort', () => {
      void transfer.abort()
      reject(signal.reason)
    })
    transfer.start()
  })
}

function refusedByTus(error: Error | DetailedError): ApiError {
  const status = ('originalResponse' in error && error.originalResponse?.getStatus()) || 0
  const gone = [403, 404, 410].includes(status)
  return new ApiError(
    status,
    'upload_failed',
    gone ? 'The server no longer has the beginning of it.' : 'The connection was lost.',
  )
}
