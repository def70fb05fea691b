import type { Schemas } from '../../api/queries'
import { ago } from '../../shell/words'

export type Token = Schemas['TokenView']

/** A token in one line. */
export function describe(token: Token, withOwner = false): string {
  const ends = token.expiresAt === null ? 'never ends' : `ends ${ago(token.expiresAt)}`
  const used = token.lastUsedAt === null ? 'not used yet' : `used ${ago(token.lastUsedAt)}`
  const parts = [`made ${ago(token.createdAt)}`, used, ends, token.scopes.join(' ')]
  if (token.namespace) parts.unshift(`namespace ${token.namespace}`)
  if (withOwner) parts.unshift(`of ${token.owner}`)
  return parts.join(' · ')
}
