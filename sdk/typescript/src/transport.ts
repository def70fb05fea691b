/**
 * Sends a request until it is answered: adds the token, repeats what may succeed later, gives up after a time. Every
 * write carries an Idempotency-Key that was made before the first try, so sending it again is safe.
 */
import {
  ApiError,
  RateLimited,
  StowError,
  TimedOut,
  Unauthorized,
  Unreachable,
  UnreadableAnswer,
  refusalOf,
} from './errors.js'

/** Gives the token for a request. `renew` is true after the service refused the one before. */
export type TokenSource = (renew: boolean) => string | Promise<string>

export interface ClientOptions {
  /** The origin of the installation, such as `https://stow.example.org`. */
  url: string
  token: string | TokenSource
  fetch?: typeof globalThis.fetch
  /** The number of times that a failed request is sent again; 3 by default. */
  retries?: number
  /** The same for writes; by default the same number. */
  writeRetries?: number
  /**
   * Seconds for one try; 30 by default. Streams have no limit. An upload has as long for each silence in which no byte
   * leaves; in Node, where that cannot be seen, one more second for each 32 KiB.
   */
  timeout?: number
}

export interface CallOptions {
  signal?: AbortSignal
  /** A later call with the same key is the same request. By default each write has a key of its own. */
  idempotencyKey?: string
  /** The version that a change is for. */
  ifMatch?: string
  /** Used instead of the retries of the client. */
  retries?: number
  headers?: Record<string, string>
  /** Called with the headers of the answer, such as its `ETag`. */
  onHeaders?: (headers: Headers) => void
}

export interface WireCall extends CallOptions {
  body?: unknown
  /** True for an answer that stays open. */
  endless?: boolean
}

export const BASE_PATH = '/api/v1'
const RETRIES = 3
const TIMEOUT_SECONDS = 30
const LONGEST_PAUSE_SECONDS = 8
const LONGEST_RETRY_AFTER_SECONDS = 60
/** Of one request, for the limit. */
const MOST_WAITS = 60
const PASSING = [408, 425, 429, 502, 503, 504]
/** Uploads leave this many requests of the limit to everything else. */
const RESERVED = 20

export class Transport {
  readonly url: string
  readonly retries: number
  readonly #options: ClientOptions
  /** The requests that the limit has left, as of this time, and those that it adds each second. */
  #quota = { left: Infinity, at: 0, perSecond: 0 }

  constructor(options: ClientOptions) {
    const { origin, pathname } = new URL(options.url)
    let path = pathname
    while (path.endsWith('/')) path = path.slice(0, -1)
    this.url = origin + (path.endsWith(BASE_PATH) ? path.slice(0, -BASE_PATH.length) : path)
    this.retries = options.retries ?? RETRIES
    this.#options = options
  }

  /** `path` begins below `/api/v1`. Throws StowError, or the reason of the signal. */
  async send<T>(method: string, path: string, call: WireCall, read: (answer: Response) => Promise<T>): Promise<T> {
    const headers: Record<string, string> = { ...call.headers }
    if (call.body !== undefined) headers['content-type'] = 'application/json'
    const key = method === 'GET' ? null : (call.idempotencyKey ?? newKey())
    if (key) headers['idempotency-key'] = key
    if (call.ifMatch) headers['if-match'] = call.ifMatch
    const body = JSON.stringify(call.body)
    const attempt = async (renew: boolean) => {
      const authorization = `Bearer ${await this.token(renew)}`
      const request = { method, body, headers: { ...headers, authorization } }
      return this.#once(this.url + BASE_PATH + path, request, call, read)
    }
    const retries = method === 'GET' ? this.retries : (this.#options.writeRetries ?? this.retries)
    try {
      return await retried(call.retries ?? retries, call.signal, () => this.authorised(attempt))
    } catch (error) {
      if (error instanceof StowError) error.idempotencyKey = key
      throw error
    }
  }

  /** Waits until the limit has room for one more upload, with some left for whatever a person does meanwhile. */
  async room(signal?: AbortSignal): Promise<void> {
    for (;;) {
      const { left, at, perSecond } = this.#quota
      const missing = RESERVED - left - ((Date.now() - at) / 1000) * perSecond
      if (!(missing > 0)) break
      await pause(Math.min(1, missing / perSecond), signal)
    }
    this.#quota.left -= 1
  }

  /** Notes what an answer says of the limit. */
  noteLimit(field: string | null): void {
    const [, left, seconds] = /r=(\d+);t=(\d+)/.exec(field ?? '') ?? []
    if (left && seconds)
      this.#quota = { left: Number(left), at: Date.now(), perSecond: Math.max(1, Number(left)) / Number(seconds) }
  }

  /** Sends once more with another token, if the first is refused and there can be another. */
  async authorised<T>(attempt: (renew: boolean) => Promise<T>): Promise<T> {
    try {
      return await attempt(false)
    } catch (error) {
      if (!(error instanceof Unauthorized) || typeof this.#options.token === 'string') throw error
      return attempt(true)
    }
  }

  async token(renew: boolean): Promise<string> {
    const { token } = this.#options
    return typeof token === 'string' ? token : token(renew)
  }

  get timeoutSeconds(): number {
    return this.#options.timeout ?? TIMEOUT_SECONDS
  }

  get hasOwnFetch(): boolean {
    return this.#options.fetch !== undefined
  }

  /** One request to any address, as it is. */
  fetch(address: string, request: RequestInit): Promise<Response> {
    return (this.#options.fetch ?? globalThis.fetch)(address, request)
  }

  async #once<T>(
    address: string,
    request: RequestInit,
    { signal, endless, onHeaders }: WireCall,
    read: (answer: Response) => Promise<T>,
  ): Promise<T> {
    const limit = endless ? undefined : AbortSignal.timeout(this.timeoutSeconds * 1000)
    const signals = [signal, limit].filter((each) => each !== undefined)
    try {
      const answer = await this.fetch(address, { ...request, signal: AbortSignal.any(signals) })
      this.noteLimit(answer.headers.get('ratelimit'))
      if (answer.ok) {
        onHeaders?.(answer.headers)
        return await read(answer)
      }
      const text = await answer.text()
      throw refusalOf({ status: answer.status, header: (name) => answer.headers.get(name), text })
    } catch (error) {
      signal?.throwIfAborted()
      if (limit?.aborted) throw new TimedOut(`${request.method} ${address} was not answered in time.`)
      if (error instanceof StowError) throw error
      if (error instanceof SyntaxError) throw new UnreadableAnswer(`${request.method} ${address} answered no JSON.`)
      throw new Unreachable('The server cannot be reached.', { cause: error })
    }
  }
}

/** A path with its values and its query. An array is sent with commas; what is not given is left out. */
export function addressOf(path: string, values: object = {}, query: object = {}): string {
  const given = new Map(Object.entries(values))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(given.get(name) ?? '')
    if (['', '.', '..'].includes(value)) throw new TypeError(`${JSON.stringify(value)} is no ${name}`)
    return encodeURIComponent(value)
  })
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query) as [string, unknown][]) {
    if (value !== undefined && value !== null && value !== '') asked.set(name, String(value))
  }
  const text = asked.toString()
  return filled + (text ? `?${text}` : '')
}

/**
 * Try until it succeeds, fails for good, or has failed too often. Whoever has met the limit waits as long as the service
 * says, whatever the number of retries: nothing was done.
 */
export async function retried<T>(retries: number, signal: AbortSignal | undefined, attempt: () => Promise<T>) {
  for (let [failures, waits] = [1, 1]; ; waits += 1) {
    try {
      return await attempt()
    } catch (error) {
      const isLimited = error instanceof RateLimited && waits <= MOST_WAITS
      if ((failures > retries && !isLimited) || !passes(error)) throw error
      await pause(waitAfter(failures, error), signal)
      if (!isLimited) failures += 1
    }
  }
}

/** True if the same request may succeed later. */
export function passes(error: unknown): boolean {
  if (!(error instanceof ApiError)) return error instanceof Unreachable || error instanceof TimedOut
  if ((error.retryAfter ?? 0) > LONGEST_RETRY_AFTER_SECONDS) return false
  return PASSING.includes(error.status) || error.code === 'idempotency_in_progress'
}

/** The pause in seconds: the server's, else a random one, so that many clients do not come back at once. */
export function waitAfter(failures: number, error: unknown): number {
  const told = error instanceof ApiError ? error.retryAfter : null
  return told ?? Math.random() * Math.min(0.4 * 2 ** failures, LONGEST_PAUSE_SECONDS)
}

export function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal!.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** `crypto.randomUUID` is missing where a page came over plain HTTP. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
