/** Types of every operation, taken from the API's own document. */
import type { Listing } from './listing.js'
import type { components, paths } from './schema.js'
import type { CallOptions } from './transport.js'

export type Schemas = components['schemas']
export type Method = 'get' | 'post' | 'patch' | 'delete'
export type PathsWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: object } ? P : never
}[keyof paths]
export type Operation<P extends keyof paths, M extends Method> = paths[P] extends { [K in M]: infer O } ? O : never
export type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never
type PathOf<O> = O extends { parameters: { path: infer V } } ? V : undefined
export type BodyOf<O> = O extends { requestBody?: { content: { 'application/json': infer B } } } ? B : undefined
type Json<R> = R extends { content: { 'application/json': infer J } } ? J : never
export type AnswerOf<O> = O extends { responses: infer R }
  ? R extends { 201: infer C }
    ? Json<C> | (R extends { 200: infer S } ? Json<S> : never)
    : R extends { 200: infer S }
      ? Json<S>
      : never
  : never

/** A list of tags, or of ids, may be an array: it is sent with commas. */
type Joined<Q> = { [K in keyof Q]: string extends Q[K] ? Q[K] | readonly string[] : Q[K] }

export type Ask<O> = CallOptions & { query?: Joined<QueryOf<O>> } & (PathOf<O> extends undefined
    ? { path?: undefined }
    : { path: PathOf<O> }) &
  (undefined extends BodyOf<O> ? { body?: BodyOf<O> } : { body: BodyOf<O> })

/** The body of an operation, by its path and method. */
export type Body<P extends keyof paths, M extends Method> = NonNullable<BodyOf<Operation<P, M>>>

/** The parameters may be left out if all of them are optional. */
export type Asking<O> = object extends Ask<O> ? [ask?: Ask<O>] : [ask: Ask<O>]

/** The filters of a list; its cursor is the iterator's. */
export type Filters<P extends PathsWith<'get'>> = Omit<Joined<QueryOf<Operation<P, 'get'>>>, 'cursor'>
export type ItemOf<P extends PathsWith<'get'>> = AnswerOf<Operation<P, 'get'>> extends { data: (infer T)[] } ? T : never
export type ListPaths = { [P in PathsWith<'get'>]: [ItemOf<P>] extends [never] ? never : P }[PathsWith<'get'>]

/** The client, as its resources call it. */
export interface Caller {
  request<M extends Method, P extends PathsWith<M>>(
    method: M,
    path: P,
    ...[ask]: Asking<Operation<P, M>>
  ): Promise<AnswerOf<Operation<P, M>>>
  list<P extends ListPaths>(
    path: P,
    query?: Filters<P>,
    options?: CallOptions & { path?: Record<string, string> },
  ): Listing<ItemOf<P>>
}

export type Task = Schemas['TaskView']
export type Board = Schemas['BoardView']
export type Column = Schemas['ColumnView']
export type Asset = Schemas['AssetView']
export type Video = Schemas['VideoView']
export type Space = Schemas['SpaceView']
export type Member = Schemas['MemberView']
export type Notification = Schemas['NotificationView']
export type MediaSetup = Schemas['CdnView']
