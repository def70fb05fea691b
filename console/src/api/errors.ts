/** A call that failed, as data: screens branch on `code` and show `message`, which is made for people. */
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

  /** True if the same call may succeed later. */
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
    return new ApiError(answer.status, error.code, forPeople(error.code, error.message), retryAfter)
  } catch {
    return new ApiError(answer.status, 'unknown', `The server answered ${answer.status}.`, retryAfter)
  }
}

const OPERATION = /\b(GET|POST|PUT|PATCH|DELETE) \//
const FOR_PEOPLE: Record<string, string> = {
  step_up_required: 'Confirm that it is you, and try again.',
  second_factor_required: 'Your account asks for two factors: use a passkey, or add a recovery code.',
}

/** The API tells programs which operation helps. A person has buttons instead, so those parts of a message are left out. */
export function forPeople(code: string, message: string): string {
  if (FOR_PEOPLE[code]) return FOR_PEOPLE[code]
  const parts = message.split(/(?<=[.;]) /).filter((part) => !OPERATION.test(part))
  return parts.length ? parts.join(' ').replace(/;$/, '.') : 'The server refused this.'
}

/** A sentence for people about anything that was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
