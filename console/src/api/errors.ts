/** Errors of the client (`@stowboard/client`) as people read them. Screens branch on their class or on `codeOf`. */
import { ApiError, StowError, TimedOut, UnreadableAnswer } from '@stowboard/client'

import { bytes } from '../shell/words'

/** Paths of operations or files, and bytes as text: nothing that a person types or sees. */
const FOR_PROGRAMS = /\b(GET|POST|PUT|PATCH|DELETE) \/|(^|\s)\/[a-z][\w-]*\/|base64/
const ID = /(?:\bthe (\w+) )?\b[a-z]{3}_[0-9a-z]{20,}\b/g
const BYTES = /\b(\d{4,}) bytes\b/g
const FOR_PEOPLE: Record<string, string> = {
  step_up_required: 'Confirm that it is you, and try again.',
  second_factor_required: 'Your account asks for two factors: use a passkey, or add a recovery code.',
  not_found: 'It was deleted, or you can no longer see it.',
  admin_required: 'Only admins can do this.',
}
/** The member that a message is about: "title: expected …", "url is required." */
const MEMBER = /^([a-z][A-Za-z]*)(?:\[\d+\])?(?=: | (?:is|has|must) )/
/** Members as people call them, where the API's name is another. */
const NAMES: Record<string, string> = {
  allowedNamespaces: 'applications',
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
/** How browsers say that the code of a part did not come. */
const IMPORT = /import|module|preload/
/** Members that a refused undo names. */
const IN_THE_WAY = /^(Changed since: |The earlier )([\w, ]+?)(?=\. | is not kept| \(by )/

/** "title, due date" */
export function membersInWords(members: string[]): string {
  return [...new Set(members.map((member) => NAMES[member] ?? member))].join(', ')
}

/** The control of a form that was refused, by its name, or null. */
export function memberOf(error: unknown): string | null {
  return error instanceof ApiError && error.status === 400 ? (MEMBER.exec(error.message)?.[1] ?? null) : null
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
    .replace(BYTES, (_, count: string) => bytes(Number(count)))
    .replace(ID, (_, noun?: string) => (noun ? `this ${noun}` : 'this one'))
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The code of a refusal; empty for other errors. */
export const codeOf = (error: unknown): string => (error instanceof ApiError ? error.code : '')

/** True if there was no answer, or none from the service itself. */
export const isAway = (error: unknown): boolean =>
  error instanceof ApiError ? error.status >= 500 || [408, 425, 429].includes(error.status) : error instanceof StowError

/** True if trying the same again can help: the server was away or busy, or others had changed the thing meanwhile. */
export function mayPass(error: unknown): boolean {
  return !(error instanceof ApiError) || [408, 409, 412, 429].includes(error.status) || error.status >= 500
}

/** A sentence for people about anything that was thrown. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return forPeople(error.code, error.message)
  if (error instanceof TimedOut) return 'The server did not answer in time.'
  if (error instanceof UnreadableAnswer) return 'The answer cannot be read; a proxy may have sent it.'
  if (error instanceof TypeError && IMPORT.test(error.message)) return 'The server cannot be reached.'
  return error instanceof Error ? error.message : String(error)
}
