/**
 * How bytes travel, by their size: small ones inside one request, middling ones by one PUT to an address that was
 * announced, large ones and videos resumably over TUS. All end with an asset or a video on the server.
 */
import type { DetailedError } from 'tus-js-client'

import { base64 } from '../../api/base64'
import { api } from '../../api/client'
import { ApiError } from '../../api/errors'
import type { Visibility } from '../../api/media'
import { putBytes } from '../../api/put_bytes'
import { type MediaLimits, mediaLimits, queries } from '../../api/queries'
import { bytes } from '../../shell/words'

/** The upload whose bytes travel: what it is, and where the way notes its id, its address and how far it is. */
export interface Traveller {
  readonly name: string
  readonly type: string
  readonly size: number
  readonly requestKey: string
  readonly tags: string[]
  readonly visibility: Visibility
  readonly stripLocation: boolean
  readonly spaceId: string
  /** Even if it looks like an image. */
  readonly asFile: boolean
  id: string | null
  address: string | null
  progress(sent: number): void
}

export type Way = 'inline' | 'put' | 'tus' | 'video'

/** Up to here a file is sent in one piece; a larger one can be paused. */
const PUT_BYTES = 32 * 1024 * 1024
const RETRY_MS = [300, 1000, 2000, 4000, 8000, 15_000, 30_000]

export function wayFor(type: string, size: number, { inlineBytes }: Pick<MediaLimits, 'inlineBytes'>): Way {
  if (type.startsWith('video/')) return 'video'
  if (size <= inlineBytes) return 'inline'
  return size <= PUT_BYTES ? 'put' : 'tus'
}

/** True for what the server counts as an image: by its type or, where the browser knows none, by its name. */
export function isImage(
  { name, type }: Pick<Traveller, 'name' | 'type'>,
  { imageTypes, imageExtensions }: Pick<MediaLimits, 'imageTypes' | 'imageExtensions'>,
): boolean {
  if (type) return imageTypes.includes(type)
  return imageExtensions.some((extension) => name.toLowerCase().endsWith(extension))
}

/** Throws ApiError or what stopped the transfer; AbortError if it was paused. */
export async function finishWay(upload: Traveller, file: File, signal: AbortSignal, onKept: () => void): Promise<void> {
  const limits = await queries.ensureQueryData(mediaLimits())
  const way = wayFor(upload.type, upload.size, limits)
  const most = way === 'video' ? limits.videoBytes : limits.presignedBytes
  if (upload.size === 0) throw new ApiError(400, 'empty', 'The file is empty: there is nothing to upload.')
  if (upload.size > most)
    throw new ApiError(413, 'too_large', `It is larger than ${bytes(most)}, the largest file that this server takes.`)
  const image = isImage(upload, limits) && !upload.asFile
  if (way === 'inline') return sendInline(upload, file, image, signal)
  if (way === 'video') return sendVideo(upload, file, signal, onKept)
  await announce(upload, file, image, way)
  onKept()
  if (way === 'put') await putBytes(upload.address!, file, (sent) => upload.progress(sent), signal)
  else await sendByTus(upload, file, signal)
}

async function sendInline(upload: Traveller, file: File, image: boolean, signal: AbortSignal): Promise<void> {
  const { tags, visibility, stripLocation, spaceId } = upload
  const body = { filename: file.name, data: await base64(file), tags, visibility, spaceId }
  const options = { signal, key: upload.requestKey }
  const { data } = image
    ? await api('post', '/media/upload/image', { ...options, body: { ...body, stripLocation } })
    : await api('post', '/media/upload/file', { ...options, body })
  upload.id = data.id
}

async function announce(upload: Traveller, file: File, image: boolean, way: Way): Promise<void> {
  if (upload.address) return
  const { tags, visibility, stripLocation, asFile, spaceId } = upload
  const body = {
    filename: file.name,
    size: file.size,
    mimeType: file.type || null,
    tags,
    visibility,
    spaceId,
    ...(image && { stripLocation }),
    ...(asFile && { kind: 'file' as const }),
  }
  const { data } = await api('post', '/media/upload/presigned', { body, key: upload.requestKey })
  upload.id = data.id
  upload.address = way === 'put' ? data.uploadUrl : data.tusUploadUrl
}

async function sendVideo(upload: Traveller, file: File, signal: AbortSignal, onKept: () => void): Promise<void> {
  if (!upload.address) {
    const title = file.name.replace(/\.\w+$/, '')
    const { tags, visibility, spaceId } = upload
    const body = { title, size: file.size, mimeType: file.type, tags, visibility, spaceId }
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
    gone
      ? 'The server no longer has the first part of this file. Try again to send all of it.'
      : 'The connection was lost.',
  )
}
