export { Stowboard } from './client.js'
export * from './errors.js'
export type { EventOptions, ResetEvent, StowEvent } from './events.js'
export { Listing, type Page } from './listing.js'
export type {
  Asset,
  Board,
  Column,
  MediaSetup,
  Member,
  Notification,
  Schemas,
  Space,
  Task,
  Video,
} from './operations.js'
export { type Message, messages } from './sse.js'
export { type CallOptions, type ClientOptions, type TokenSource, newKey } from './transport.js'
export type { Progress, UploadOptions, UploadState } from './uploads/upload.js'
