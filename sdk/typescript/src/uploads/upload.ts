/**
 * One upload for files of any size. `GET /media/cdn` says what an installation takes; it is asked once for each client.
 *
 * | file | way |
 * |---|---|
 * | a video | announced as a video, sent by TUS, finalized |
 * | up to `inlineBytes` | a form, in one request |
 * | up to 32 MiB | announced, sent by one PUT; if that breaks, by TUS |
 * | beyond | announced, sent by TUS |
 */
import { StowError, TooLarge, UploadFailed } from '../errors.js'
import type { Asset, Body, MediaSetup, Schemas, Video } from '../operations.js'
import { BASE_PATH, type Transport, newKey, passes, pause, retried } from '../transport.js'
import { sendBytes } from './sending.js'
import { isGone, sendByTus } from './tus.js'

export interface Progress {
  sent: number
  total: number
}

/** Enough to go on after a reload, as plain JSON: keep it, and give it back with the same file. It is a secret. */
export interface UploadState {
  id: string
  address: string
  name: string
  size: number
  /** `lastModified` of the file, if it is known. */
  modified: number | null
}

export interface UploadOptions {
  /** The filename; by default the name of the File. */
  filename?: string
  /** The kind; by default the one that type and name suggest. */
  kind?: 'image' | 'file' | 'video'
  tags?: string[]
  /** The asset whose bytes these replace. It keeps its kind, and all that is said of it. */
  assetId?: string
  /** The id of a space, or `own`; the Library by default. */
  spaceId?: string
  visibility?: Asset['visibility']
  /** Only for images and files. */
  alt?: string
  title?: string
  focalPoint?: Asset['focalPoint']
  metadata?: Record<string, string>
  /** Remove from an image the place where it was taken. */
  stripLocation?: boolean
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
  /** Called with the state of an upload that can be continued, before its first byte is sent. */
  onState?: (state: UploadState) => void
  /** The state of an earlier upload of the same file. */
  state?: UploadState
  idempotencyKey?: string
  /** If false, return when the bytes have arrived, whatever is still made of them. */
  wait?: boolean
}

/** The part of the client that uploads need. */
export interface UploadClient {
  readonly transport: Transport
  setup(): Promise<MediaSetup>
  /** Throws the refusal, if the token or the space is refused. */
  look(spaceId: string | undefined, signal?: AbortSignal): Promise<unknown>
  getAsset(id: string, signal?: AbortSignal): Promise<Asset>
  getVideo(id: string, signal?: AbortSignal): Promise<Video>
  updateAsset(id: string, body: Body<'/media/assets/{asset_id}', 'patch'>, signal?: AbortSignal): Promise<Asset>
  announce(
    body: Body<'/media/upload/presigned', 'post'>,
    key: string,
    signal?: AbortSignal,
  ): Promise<Schemas['PresignedUpload']>
  createVideo(body: Body<'/media/videos/upload', 'post'>, key: string, signal?: AbortSignal): Promise<Video>
  finalizeVideo(id: string, signal?: AbortSignal): Promise<Video>
}

/** Up to here a file is sent in one piece. */
const PUT_BYTES = 32 * 1024 * 1024
/** A form with more than this is not sent again before a short request has passed. */
const ASKED_BYTES = 1024 * 1024
const LONGEST_POLL_SECONDS = 2

type Source = Blob | File
interface Job {
  client: UploadClient
  file: Source
  name: string
  options: UploadOptions
  key: string
  tell: (sent: number) => void
}

/** Throws StowError, or the reason of the signal. */
export async function upload(client: UploadClient, file: Source, options: UploadOptions): Promise<Asset | Video> {
  const name = options.filename ?? ('name' in file ? file.name : '')
  if (!name) throw new TypeError('Bytes without a name need the option `filename`.')
  const setup = await client.setup()
  const kind = options.assetId ? undefined : (options.kind ?? kindOf(file.type, name, setup))
  const most = kind === 'video' ? setup.videoBytes : setup.presignedBytes
  if (file.size > most)
    throw new TooLarge(
      413,
      'payload_too_large',
      `The file is larger than ${most} bytes, the most that this server takes.`,
    )
  const tell = (sent: number) => options.onProgress?.({ sent: Math.min(sent, file.size), total: file.size })
  // The answer under the old key is the address in the state. An upload that begins again is another request.
  const key = (!options.state && options.idempotencyKey) || newKey()
  const job = { client, file, name, options, key, tell }
  if (kind === 'video') return sendVideo(job)
  if (kind && file.size <= setup.inlineBytes && !options.state) return sendForm(job, kind)
  return sendAnnounced(job, kind)
}

export function kindOf(type: string, name: string, setup: MediaSetup): 'image' | 'file' | 'video' {
  if (type.startsWith('video/')) return 'video'
  const isImage = type
    ? setup.imageTypes.includes(type)
    : setup.imageExtensions.some((extension) => name.toLowerCase().endsWith(extension))
  return isImage ? 'image' : 'file'
}

/** Whatever its boundary, a form is the same request. So a retry under the same key makes no second asset. */
async function sendForm({ client, file, name, options, key, tell }: Job, kind: 'image' | 'file'): Promise<Asset> {
  const { tags, spaceId, visibility, alt, title, focalPoint, metadata, stripLocation, signal } = options
  const members = { filename: name, tags, spaceId, visibility, alt, title, focalPoint, metadata }
  const form = new FormData()
  form.set('json', JSON.stringify(kind === 'image' ? { ...members, stripLocation } : members))
  form.set('file', file, name)
  const { transport } = client
  const address = `${transport.url}${BASE_PATH}/media/upload/${kind}`
  const attempt = async (renew: boolean) => {
    const headers = { authorization: `Bearer ${await transport.token(renew)}`, 'idempotency-key': key }
    return sendBytes(transport, {
      method: 'POST',
      address,
      headers,
      body: form,
      bytes: file.size,
      signal,
      onSent: tell,
    })
  }
  let tries = 0
  const answer = await retried(transport.retries, signal, async () => {
    await transport.room(signal)
    // The answer that was lost may be a refusal. It is asked for without the bytes before they travel again.
    if (tries++ && file.size > ASKED_BYTES) await client.look(spaceId, signal)
    return transport.authorised(attempt)
  })
  transport.noteLimit(answer.header('ratelimit'))
  tell(file.size)
  return (JSON.parse(answer.text) as { data: Asset }).data
}

async function sendAnnounced(job: Job, kind?: 'image' | 'file'): Promise<Asset> {
  const { client, file, name, options, key } = job
  const { tags, assetId, spaceId, visibility, metadata, stripLocation, signal } = options
  const id = await continued(job, async () => {
    await client.transport.room(signal)
    const announced = await client.announce(
      {
        filename: name,
        size: file.size,
        mimeType: file.type || null,
        kind,
        tags,
        assetId,
        spaceId,
        visibility,
        metadata,
        ...(kind !== 'file' && { stripLocation }),
      },
      key,
      signal,
    )
    return { id: announced.id, address: announced.tusUploadUrl, putAddress: announced.uploadUrl }
  })
  const { alt, title, focalPoint } = options
  if (alt !== undefined || title !== undefined || focalPoint !== undefined)
    await client.updateAsset(id, { alt, title, focalPoint }, signal)
  const get = () => client.getAsset(id, signal)
  if (options.wait === false) return get()
  return waitFor(get, ({ processingStatus, processingError }) => [processingStatus, processingError], signal)
}

async function sendVideo(job: Job): Promise<Video> {
  const { client, file, name, options, key } = job
  const { tags, spaceId, visibility, metadata, signal } = options
  const id = await continued(job, async () => {
    const title = options.title ?? name.replace(/\.\w+$/, '')
    const body = { title, size: file.size, mimeType: file.type || null, tags, spaceId, visibility, metadata }
    const video = await client.createVideo(body, key, signal)
    return { id: video.id, address: video.tusUploadUrl! }
  })
  const video = await client.finalizeVideo(id, signal)
  if (options.wait === false) return video
  return waitFor(
    () => client.getVideo(id, signal),
    ({ status, error }) => [status, error],
    signal,
  )
}

/** Go on with the state that was given, or announce the file; then send what is missing. */
async function continued(
  { client, file, name, options, tell }: Job,
  announce: () => Promise<{ id: string; address: string; putAddress?: string }>,
): Promise<string> {
  const { state, signal } = options
  if (state && state.size === file.size) {
    try {
      await sendByTus(client.transport, state.address, file, { signal, onSent: tell })
      return state.id
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }
  const { id, address, putAddress } = await announce()
  const modified = 'lastModified' in file ? file.lastModified : null
  options.onState?.({ id, address, name, size: file.size, modified })
  if (!putAddress || file.size > PUT_BYTES || !(await wasPut(client.transport, putAddress, file, signal, tell)))
    await sendByTus(client.transport, address, file, { signal, onSent: tell })
  return id
}

/** False if the connection broke. Then the server has nothing, and TUS can begin. */
async function wasPut(
  transport: Transport,
  address: string,
  file: Blob,
  signal: AbortSignal | undefined,
  onSent: (sent: number) => void,
): Promise<boolean> {
  try {
    await sendBytes(transport, { method: 'PUT', address, body: file, signal, onSent })
    onSent(file.size)
    return true
  } catch (error) {
    if (!(error instanceof StowError) || !passes(error)) throw error
    return false
  }
}

async function waitFor<T>(
  get: () => Promise<T>,
  stateOf: (found: T) => [status: string, error: { code: string; message: string } | null],
  signal?: AbortSignal,
): Promise<T> {
  for (let seconds = 0.1; ; seconds = Math.min(seconds * 1.5, LONGEST_POLL_SECONDS)) {
    const found = await get()
    const [status, error] = stateOf(found)
    if (status === 'ready') return found
    if (status === 'failed' || status === 'expired')
      throw new UploadFailed(error?.code ?? 'processing_failed', error?.message ?? 'It cannot be used.')
    await pause(seconds, signal)
  }
}
