/** The scopes of a token, in words. */
import type { Schemas } from '../../api/queries'

export type Scope = NonNullable<Schemas['MyTokenBody']['scopes']>[number]

export const SCOPES: [scope: Scope, words: string][] = [
  ['media:read', 'See assets and videos'],
  ['media:write', 'Upload and change them'],
  ['media:delete', 'Delete them for good'],
  ['tasks:read', 'See tasks and boards'],
  ['tasks:write', 'Create and change them'],
  ['tasks:delete', 'Delete them for good'],
  ['webhooks:manage', 'Manage webhooks'],
]
export const ADMIN: [scope: Scope, words: string] = ['admin', 'Everything that an admin may do']

const DAY = 86_400
export const SPANS: [seconds: number, words: string][] = [
  [7 * DAY, 'A week'],
  [30 * DAY, '30 days'],
  [90 * DAY, '90 days'],
  [365 * DAY, 'A year'],
]
