/** A call that failed, as data: screens branch on `code` and show `message`, which is made for people. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Seconds after which asking again may help. */
    readonly retryAfter: number | null = null,
    /** The member of the request that was refused. */
    readonly member: string | null = null,
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

/** The error of an answer, or of one operation of a batch. */
export function refusal(
  status: number,
  { code, message }: { code: string; message: string },
  retryAfter: number | null = null,
): ApiError {
  return new ApiError(status, code, forPeople(code, message), retryAfter, memberIn(status, message))
}

export async function errorOf(answer: Response): Promise<ApiError> {
  const retryAfter = Number(answer.headers.get('retry-after')) || null
  try {
    const { error } = (await answer.json()) as { error: { code: string; message: string } }
    return refusal(answer.status, error, retryAfter)
  } catch {
    return new ApiError(answer.status, 'unknown', `The server answered ${answer.status}.`, retryAfter)
  }
}

/** Paths of operations or files, and bytes as text: nothing that a person types or sees. */
const FOR_PROGRAMS = /\b(GET|POST|PUT|PATCH|DELETE) \/|(^|\s)\/[a-z][\w-]*\/|base64/
const ID = /(?:\bthe (\w+) )?\b[a-z]{3}_[0-9a-z]{20,}\b/g
const FOR_PEOPLE: Record<string, string> = {
  step_up_required: 'Confirm that it is you, and try again.',
  second_factor_required: 'Your account asks for two factors: use a passkey, or add a recovery code.',
  not_found: 'It is not there any more, or you may not see it.',
  admin_required: 'Only admins can do this.',
}
/** The member that a message is about: "title: expected …", "url is required." */
const MEMBER = /^([a-z][A-Za-z]*)(?:\[\d+\])?(?=: | (?:is|has|must) )/
/** Members as people call them, where the API's name is another. */
const NAMES: Record<string, string> = {
  allowedNamespaces: 'who may sign links',
  alt: 'alt text',
  archived: 'archive',
  boardId: 'place',
  body: 'text',
  columnId: 'place',
  data: 'file',
  displayName: 'display name',
  dueAt: 'due date',
  email: 'e-mail address',
  encryptedBody: 'sealed text',
  filename: 'file name',
  focalPoint: 'focal point',
  imageData: 'file',
  metadata: 'fields',
  newPassword: 'new password',
  rank: 'place',
  recurrence: 'repetition',
  recurrenceFrom: 'repetition',
  redirectUris: 'addresses to return to',
  reminders: 'reminder',
  spaceId: 'space',
  startAt: 'start date',
  timeZone: 'time zone',
  trashedAt: 'trash',
  types: 'event types',
  url: 'address',
  version: 'file',
}
/** Members that a refused undo names. */
const IN_THE_WAY = /^(Changed since: |The earlier )([\w, ]+?)(?=\. | is not kept)/

/** "title, due date" */
export function membersInWords(members: string[]): string {
  return [...new Set(members.map((member) => NAMES[member] ?? member))].join(', ')
}

/** The member of a form that the message of the API is about, or null. */
export function memberIn(status: number, message: string): string | null {
  return status === 400 ? (MEMBER.exec(message)?.[1] ?? null) : null
}

/**
 * The API tells programs which operation helps, which member is wrong and which id it means. A person has buttons, fields
 * and names instead: parts with paths are left out, members have the names of their fields, and ids are "this one".
 */
export function forPeople(code: string, message: string): string {
  if (FOR_PEOPLE[code]) return FOR_PEOPLE[code]
  const parts = message.split(/(?<=[.;]) /).filter((part) => !FOR_PROGRAMS.test(part))
  if (parts.length === 0) return 'The server refused this.'
  const words = parts
    .join(' ')
    .replace(/;$/, '.')
    .replace(MEMBER, (member) => NAMES[member] ?? member)
    .replace(IN_THE_WAY, (_, start: string, members: string) => start + membersInWords(members.split(', ')))
    .replace(ID, (_, noun?: string) => (noun ? `this ${noun}` : 'this one'))
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** True if trying the same again can help: the server was away or busy, or others had changed the thing meanwhile. */
export function mayPass(error: unknown): boolean {
  return !(error instanceof ApiError) || error.passes || error.status === 409 || error.status === 412
}

/** A sentence for people about anything that was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
