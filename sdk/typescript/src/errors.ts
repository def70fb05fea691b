/** Failures as data: programs branch on the class or on `code`, and show `message`. */
import type { KnownCode } from './schema.js'

/** Later versions of the service may have further codes. */
export type ErrorCode = KnownCode | (string & {})

const BRAND = Symbol.for('stowboard.error')

/** Everything that this package throws, except the reason of an aborted signal and misuse (TypeError). */
export class StowError extends Error {
  override name = 'StowError'
  readonly [BRAND] = true
  /** The key of a write that failed. A later call with this key is the same write, and is done once. */
  idempotencyKey: string | null = null
}

/** The service refused the request. */
export class ApiError extends StowError {
  override name = 'ApiError'
  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    message: string,
    /** For the operator's log. */
    readonly requestId: string | null = null,
    /** Seconds after which the same request may succeed. */
    readonly retryAfter: number | null = null,
  ) {
    super(message)
  }
}

export class Invalid extends ApiError {
  override name = 'Invalid'
}
export class Unauthorized extends ApiError {
  override name = 'Unauthorized'
}
export class Forbidden extends ApiError {
  override name = 'Forbidden'
}
export class NotFound extends ApiError {
  override name = 'NotFound'
}
/** 409 and 412: the present state does not allow it. */
export class Conflict extends ApiError {
  override name = 'Conflict'
}
export class TooLarge extends ApiError {
  override name = 'TooLarge'
}
export class RateLimited extends ApiError {
  override name = 'RateLimited'
}
export class ServerFault extends ApiError {
  override name = 'ServerFault'
}

/** No answer came: no connection, or one that broke. */
export class Unreachable extends StowError {
  override name = 'Unreachable'
}

/** No answer came in time. */
export class TimedOut extends StowError {
  override name = 'TimedOut'
}

/** A success that is not what the API promises: most likely a proxy answered. */
export class UnreadableAnswer extends StowError {
  override name = 'UnreadableAnswer'
}

/** The bytes arrived and cannot be used. */
export class UploadFailed extends StowError {
  override name = 'UploadFailed'
  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message)
  }
}

/** The file changed, or went away, while it was being sent. */
export class FileChanged extends StowError {
  override name = 'FileChanged'
}

const BY_STATUS: Record<number, typeof ApiError> = {
  400: Invalid,
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  412: Conflict,
  413: TooLarge,
  422: Invalid,
  429: RateLimited,
}

/** `instanceof` fails where a page has two copies of this package; this does not. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && BRAND in error && 'status' in error
}

export interface Refusal {
  status: number
  header(name: string): string | null
  text: string
}

/** The error of an answer that is not a success. */
export function refusalOf({ status, header, text }: Refusal): ApiError {
  const kind = BY_STATUS[status] ?? (status >= 500 ? ServerFault : ApiError)
  const seconds = Number(header('retry-after'))
  const { code, message } = errorIn(text) ?? { code: 'unknown', message: `The server answered ${status}.` }
  return new kind(status, code, message, header('x-request-id'), seconds > 0 ? seconds : null)
}

function errorIn(text: string): { code: string; message: string } | null {
  try {
    return (JSON.parse(text) as { error?: { code: string; message: string } }).error ?? null
  } catch {
    return null
  }
}
