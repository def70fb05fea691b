/** Rules in words: on which ways a person is told of a kind, everywhere, in a space or for a board. */
import type { Schemas } from '../../api/queries'

export type Rule = Schemas['RuleView']
export type Kind = Schemas['NotificationKind']
export type Way = Schemas['NotificationWay']

export const EVERYWHERE = 'all'
export const WAYS: [way: Way, words: string][] = [
  ['inbox', 'Inbox'],
  ['push', 'Browsers'],
  ['mail', 'Mail'],
  ['url', 'Addresses'],
]
const KINDS: [kind: Kind, words: string, scopes: string][] = [
  ['assigned', 'A task is assigned to me', 'all spc brd'],
  ['mentioned', 'Somebody mentions me', 'all spc brd'],
  ['reminder', 'A reminder is due', 'all spc brd'],
  ['commented', 'A comment on a task that I follow', 'all spc brd'],
  ['completed', 'A task that I follow is completed', 'all spc brd'],
  ['files_arrived', 'Files arrive in a space', 'all spc'],
  ['failed', 'A file or webhook of mine fails', 'all spc'],
  ['shared', 'A space is shared with me', 'all'],
  ['token_made', 'An admin makes a token for me', 'all'],
]

/** The kinds that happen in this scope. */
export function kindsIn(scope: string): [kind: Kind, words: string][] {
  const sort = scope === EVERYWHERE ? 'all' : scope.startsWith('brd_') ? 'brd' : 'spc'
  return KINDS.filter(([, , scopes]) => scopes.includes(sort)).map(([kind, words]) => [kind, words])
}

/** The rule that holds: the narrowest of these scopes that has one, narrowest first. */
export function ruleFor(rules: Rule[], scopes: string[], kind: Kind): Rule | undefined {
  for (const scope of scopes) {
    const found = rules.find((rule) => rule.scope === scope && rule.kind === kind)
    if (found) return found
  }
}
