/** What went wrong with a call, as data: screens branch on `code` and show `message`. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Seconds after which asking again may help. */
    readonly retryAfter: number | null = null,
  ) {
    super(message)
    this.name = 'ApiError'
  }

  /** Whether the same call may succeed later, as it is. */
  get passes(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500
  }
}

/** The server could not be reached at all. */
export function unreachable(): ApiError {
  return new ApiError(0, 'unreachable', 'The server cannot be reached.')
}

export async function errorOf(answer: Response): Promise<ApiError> {
  const retryAfter = Number(answer.headers.get('retry-after')) || null
  try {
    const { error } = (await answer.json()) as { error: { code: string; message: string } }
    return new ApiError(answer.status, error.code, error.message, retryAfter)
  } catch {
    return new ApiError(answer.status, 'unknown', `The server answered ${answer.status}.`, retryAfter)
  }
}

/** A sentence for people about anything that was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
