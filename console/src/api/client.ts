/**
 * Calls to the API, typed from its own OpenAPI document:
 *
 *     const { data, meta } = await api('get', '/media/assets', { query: { limit: 48 } })
 *
 * A read that meets a limit, or a server that is busy, is asked again by itself; a write never is, since its screen has
 * shown the change already and has to say what became of it. `retry` of a write sends the same Idempotency-Key.
 */
import { ApiError, errorOf, unreachable } from './errors'
import type { paths } from './schema'
import { bearerToken, forgetBearer } from './session'

export const BASE = '/api/v1'
const MOST_TRIES = 4
const LONGEST_WAIT_SECONDS = 30

type Method = 'get' | 'post' | 'patch' | 'delete'
type PathsWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: object } ? P : never
}[keyof paths]
type Operation<P extends keyof paths, M extends Method> = paths[P] extends { [K in M]: infer O } ? O : never
type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? Q : never
type PathOf<O> = O extends { parameters: { path: infer V } } ? V : undefined
type BodyOf<O> = O extends { requestBody?: { content: { 'application/json': infer B } } } ? B : undefined
type Json<R> = R extends { content: { 'application/json': infer J } } ? J : never
type AnswerOf<O> = O extends { responses: infer R }
  ? R extends { 201: infer C }
    ? Json<C> | (R extends { 200: infer S } ? Json<S> : never)
    : R extends { 200: infer S }
      ? Json<S>
      : never
  : never

export type Ask<O> = {
  query?: QueryOf<O>
  signal?: AbortSignal
  /** Makes sending it again safe; by default each call has its own. */
  key?: string
  ifMatch?: string
} & (PathOf<O> extends undefined ? { path?: undefined } : { path: PathOf<O> }) &
  (undefined extends BodyOf<O> ? { body?: BodyOf<O> } : { body: BodyOf<O> })

/** Throws ApiError. */
export async function api<M extends Method, P extends PathsWith<M>>(
  method: M,
  path: P,
  ...[ask]: object extends Ask<Operation<P, M>> ? [Ask<Operation<P, M>>?] : [Ask<Operation<P, M>>]
): Promise<AnswerOf<Operation<P, M>>> {
  const options = (ask ?? {}) as Ask<unknown> & { path?: Record<string, string>; query?: object; body?: unknown }
  const answer = await send(method.toUpperCase(), addressOf(path as string, options.path, options.query), options)
  return (await answer.json()) as AnswerOf<Operation<P, M>>
}

/** The same for addresses and answers that the document does not describe. */
export async function send(
  method: string,
  address: string,
  {
    body,
    signal,
    key,
    ifMatch,
    headers,
    most = MOST_TRIES,
  }: {
    body?: unknown
    signal?: AbortSignal
    key?: string
    ifMatch?: string
    headers?: Record<string, string>
    /** How often a read is tried. */
    most?: number
  } = {},
): Promise<Response> {
  const all: Record<string, string> = { ...headers }
  if (body !== undefined) all['content-type'] = 'application/json'
  if (method !== 'GET') all['idempotency-key'] = key ?? newKey()
  if (ifMatch) all['if-match'] = ifMatch
  const request = { method, headers: all, body: body === undefined ? undefined : JSON.stringify(body), signal }
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(address, request)
    } catch (error) {
      if (method !== 'GET' || tries === most || !(error instanceof ApiError) || !error.passes) throw error
      await pause(Math.min(error.retryAfter ?? tries * 0.4, LONGEST_WAIT_SECONDS), signal)
    }
  }
}

export function addressOf(path: string, values: Record<string, string> = {}, query: object = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') asked.set(name, String(value))
  }
  const text = asked.toString()
  return BASE + filled + (text ? `?${text}` : '')
}

/** `crypto.randomUUID` is missing where a page came over plain HTTP. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** One request; with a fresh bearer once more if the first is refused. */
async function attempt(address: string, request: RequestInit): Promise<Response> {
  let answer = await authorised(address, request)
  if (answer.status === 401) {
    forgetBearer()
    answer = await authorised(address, request)
  }
  if (!answer.ok) throw await errorOf(answer)
  return answer
}

async function authorised(address: string, request: RequestInit): Promise<Response> {
  const headers = { ...(request.headers as Record<string, string>), authorization: `Bearer ${await bearerToken()}` }
  try {
    return await fetch(address, { ...request, headers })
  } catch (error) {
    if (request.signal?.aborted) throw error
    throw unreachable()
  }
}

export function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
