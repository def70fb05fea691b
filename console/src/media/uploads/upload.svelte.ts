/** One file on its way: what is shown of it, and what can be done with it. The client knows how bytes travel. */
import { ApiError, Invalid, newKey, type UploadState } from '@stowboard/client'

import { stow } from '../../api/client'
import { codeOf, mayPass, reasonOf } from '../../api/errors'
import type { Asset, Visibility } from '../../api/media'

/** Statuses of an address that is used up or has expired. */
const GONE = [403, 404, 410]

/** `there`: the library has these bytes already, and the person decides. */
export type State = 'checking' | 'there' | 'waiting' | 'sending' | 'paused' | 'done' | 'failed' | 'lost'

/** The part of an upload that survives a reload. The bytes do not: a browser hands them out only once. */
export interface UnfinishedUpload extends UploadState {
  key: string
  type: string
  spaceId?: string
}

/** How new uploads are kept. */
export interface UploadChoices {
  visibility: Visibility
  /** Leave out of photos where they were taken. */
  stripLocation: boolean
}

const DEFAULT_CHOICES: UploadChoices = { visibility: 'protected', stripLocation: false }

export class Upload {
  readonly key: string
  /** Makes sending a request again safe. */
  requestKey = newKey()
  readonly name: string
  readonly size: number
  readonly type: string
  readonly modified: number | null
  state = $state<State>('waiting')
  /** The asset that has the same bytes. */
  twin = $state.raw<Asset | null>(null)
  sent = $state(0)
  /** Bytes a second, smoothed. */
  speed = $state(0)
  error = $state('')
  /** Why the last try failed. */
  reason: unknown = null
  /** Its id, as soon as the server has given it one. */
  id = $state<string | null>(null)
  tags: string[] = []
  /** The address for its bytes, if the upload can be continued later. */
  address: string | null = null
  file: File | null
  visibility: Visibility
  stripLocation: boolean
  readonly spaceId: string
  asFile = false
  /** `hopeless`: trying again cannot help. `noImage`: sending it as a plain file may. */
  hopeless = $state(false)
  noImage = $state(false)
  /** Called with its id as soon as there is one; not after a reload. */
  arrived?: (id: string) => void
  #abort: AbortController | null = null
  #last = { at: 0, sent: 0 }

  constructor(
    source: File | UnfinishedUpload,
    { visibility, stripLocation }: UploadChoices = DEFAULT_CHOICES,
    spaceId = 'own',
  ) {
    this.visibility = visibility
    this.stripLocation = stripLocation
    const kept = source instanceof File ? null : source
    this.file = source instanceof File ? source : null
    this.key = kept?.key ?? newKey()
    this.spaceId = kept?.spaceId ?? spaceId
    this.name = source.name
    this.size = source.size
    this.type = source.type
    this.modified = source instanceof File ? source.lastModified : source.modified
    if (kept) {
      this.state = 'lost'
      this.id = kept.id
      this.address = kept.address
    }
  }

  get secondsLeft(): number | null {
    return this.speed > 0 ? (this.size - this.sent) / this.speed : null
  }

  isSame(file: File): boolean {
    return file.name === this.name && file.size === this.size && file.lastModified === this.modified
  }

  kept(): UnfinishedUpload | null {
    const { key, name, size, modified, type, id, address, spaceId } = this
    return id && address && this.state !== 'done' ? { key, name, size, modified, type, id, address, spaceId } : null
  }

  /** Send the file, or the part that is missing. Never throws: the state says what became of it. */
  async send(onKept: () => void): Promise<void> {
    if (!this.file) return
    this.state = 'sending'
    this.error = ''
    this.reason = null
    this.#abort = new AbortController()
    this.#last = { at: performance.now(), sent: this.sent }
    try {
      this.id = await this.#transfer(this.file, this.#abort.signal, onKept)
      this.sent = this.size
      this.state = 'done'
      this.file = null
    } catch (error) {
      if (this.#abort.signal.aborted) return
      this.state = 'failed'
      this.reason = error
      this.error = reasonOf(error)
      const isGone = error instanceof ApiError && GONE.includes(error.status)
      this.noImage = codeOf(error) === 'invalid_media' && !this.asFile
      this.hopeless = !isGone && !mayPass(error)
      if (isGone) this.#startOver()
    }
  }

  /** Returns its id. Throws StowError, or the reason of the signal. */
  async #transfer(file: File, signal: AbortSignal, onKept: () => void): Promise<string> {
    if (file.size === 0) throw new Invalid(400, 'empty', 'The file is empty: there is nothing to upload.')
    const { tags, visibility, stripLocation, spaceId } = this
    const { id } = await stow.upload(file, {
      kind: this.asFile ? 'file' : undefined,
      tags,
      visibility,
      stripLocation,
      spaceId,
      signal,
      idempotencyKey: this.requestKey,
      state: this.kept() ?? undefined,
      wait: false,
      onProgress: ({ sent }) => this.#progress(sent),
      onState: ({ id, address }) => {
        this.id = id
        this.address = address
        onKept()
      },
    })
    return id
  }

  #progress(sent: number): void {
    const now = performance.now()
    const seconds = (now - this.#last.at) / 1000
    this.sent = sent
    if (seconds < 0.25) return
    const speed = Math.max(0, sent - this.#last.sent) / seconds
    this.speed = this.speed === 0 ? speed : this.speed * 0.7 + speed * 0.3
    this.#last = { at: now, sent }
  }

  /** The address is used up or has run out: the next try announces it again, as another request. */
  #startOver(): void {
    this.address = null
    this.sent = 0
    this.requestKey = newKey()
  }

  pause(): void {
    this.state = 'paused'
    this.speed = 0
    this.#abort?.abort()
  }

  /** An image that does not decode is still a file. */
  sendAsFile(): void {
    this.asFile = true
    this.noImage = false
    this.#startOver()
    this.wait()
  }

  wait(): void {
    this.state = 'waiting'
    this.error = ''
  }

  stop(): void {
    this.#abort?.abort()
  }
}
