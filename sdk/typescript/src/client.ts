/** The client: `new Stowboard({ url, token })`. Nothing is asked of the service before a method is called. */
import { isApiError } from './errors.js'
import { type EventOptions, type ResetEvent, type StowEvent, follow } from './events.js'
import { Listing, type PageAnswer } from './listing.js'
import type {
  AnswerOf,
  Ask,
  Asking,
  Asset,
  Filters,
  ItemOf,
  ListPaths,
  MediaSetup,
  Method,
  Operation,
  PathsWith,
  Video,
} from './operations.js'
import { Assets, Boards, Notifications, Spaces, Tasks, Videos } from './resources.js'
import { type CallOptions, type ClientOptions, Transport, addressOf } from './transport.js'
import type { UploadClient, UploadOptions } from './uploads/upload.js'

export class Stowboard {
  readonly tasks = new Tasks(this)
  readonly boards = new Boards(this)
  readonly assets = new Assets(this)
  readonly videos = new Videos(this)
  readonly spaces = new Spaces(this)
  readonly notifications = new Notifications(this)
  readonly #transport: Transport
  #setup: Promise<MediaSetup> | null = null

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options)
  }

  /** Any operation of the API's document: `request('get', '/media/tags', { query: { limit: 10 } })`. */
  async request<M extends Method, P extends PathsWith<M>>(
    method: M,
    path: P,
    ...[ask]: Asking<Operation<P, M>>
  ): Promise<AnswerOf<Operation<P, M>>> {
    const { path: values, query, ...call } = (ask ?? {}) as Ask<unknown> & { path?: object; query?: object }
    const address = addressOf(path as string, values, query)
    return this.#transport.send(method.toUpperCase(), address, call, (answer) => answer.json())
  }

  /** Any operation that answers pages, as one list. */
  list<P extends ListPaths>(
    path: P,
    query: Filters<P> = {} as Filters<P>,
    options: CallOptions & { path?: Record<string, string> } = {},
  ): Listing<ItemOf<P>> {
    const ask = (cursor: string | undefined) => {
      const address = addressOf(path as string, options.path, { ...query, cursor })
      return this.#transport.send('GET', address, options, (answer) => answer.json() as Promise<PageAnswer<ItemOf<P>>>)
    }
    return new Listing((cursor) => this.#indexed(() => ask(cursor), options, (query as { spaceId?: string }).spaceId))
  }

  /** Events as they happen, until the loop is left or the signal aborts. */
  events(options: EventOptions = {}): AsyncGenerator<StowEvent | ResetEvent, void, undefined> {
    return follow(this.#transport, options)
  }

  /** Sends a file of any size, and waits until it can be used. */
  upload(file: Blob | File, options: UploadOptions & { kind: 'image' | 'file' }): Promise<Asset>
  upload(file: Blob | File, options: UploadOptions & { kind: 'video' }): Promise<Video>
  upload(file: Blob | File, options?: UploadOptions): Promise<Asset | Video>
  async upload(file: Blob | File, options: UploadOptions = {}): Promise<Asset | Video> {
    // Loaded when it is first needed, so that a page can begin without it.
    const { upload } = await import('./uploads/upload.js')
    return upload(this.#uploads(), file, options)
  }

  /** `GET /media/cdn`: types, limits and classes of images. The service is asked once. */
  setup(): Promise<MediaSetup> {
    this.#setup ??= this.request('get', '/media/cdn').then(
      ({ data }) => data,
      (error: unknown) => {
        this.#setup = null
        throw error
      },
    )
    return this.#setup
  }

  #uploads(): UploadClient {
    return {
      transport: this.#transport,
      setup: () => this.setup(),
      look: (spaceId, signal) => this.assets.list({ limit: 1, spaceId }, { signal }).page(),
      getVideo: (id, signal) => this.videos.get(id, { signal }),
      getAsset: (id, signal) => this.assets.get(id, { signal }),
      updateAsset: (id, body, signal) => this.assets.update(id, body, { signal }),
      announce: async (body, idempotencyKey, signal) =>
        (await this.request('post', '/media/upload/presigned', { body, idempotencyKey, signal })).data,
      createVideo: async (body, idempotencyKey, signal) =>
        (await this.request('post', '/media/videos/upload', { body, idempotencyKey, signal })).data,
      finalizeVideo: async (id, signal) =>
        (await this.request('post', '/media/videos/{video_id}/finalize', { path: { video_id: id }, signal })).data,
    }
  }

  /** Lists of tasks need an index, which each space activates once; here it happens by itself. */
  async #indexed<T>(ask: () => Promise<T>, { signal }: CallOptions, spaceId?: string): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      if (!isApiError(error) || error.code !== 'task_index_not_activated') throw error
      for (const id of await this.#spacesOf(spaceId, signal)) {
        const step = { signal, query: { spaceId: id } }
        while (!(await this.request('post', '/taskapp/task-index/backfill', step)).data.complete);
      }
      return ask()
    }
  }

  async #spacesOf(spaceId?: string, signal?: AbortSignal): Promise<(string | undefined)[]> {
    if (spaceId !== 'all') return [spaceId]
    const all = await this.spaces.list({ limit: 100 }, { signal }).all()
    return all.filter(({ trashedAt }) => trashedAt === null).map(({ id }) => id)
  }
}
