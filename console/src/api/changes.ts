/** The history of tasks, assets and videos, in words. */
import { membersInWords } from './errors'
import type { Schemas } from './queries'

export type Change = Schemas['ChangeView']

const WORDS: Record<string, string> = {
  created: 'created',
  moved: 'moved',
  completed: 'completed',
  archived: 'archived',
  restored: 'restored',
  trashed: 'deleted',
  replaced: 'replaced the file of',
  transferred: 'moved to another space:',
}

/** What a change did, to stand before the name of the thing: "moved", "changed title of". */
export function wordsOf({ kind, changed }: Pick<Change, 'kind' | 'changed'>, trashedBefore?: unknown): string {
  if (changed.join() === 'trashedAt' && !kind.startsWith('task.'))
    return trashedBefore === undefined ? 'deleted or restored' : trashedBefore === null ? 'deleted' : 'restored'
  return WORDS[kind.split('.').at(-1)!] ?? `changed ${membersInWords(changed)} of`
}
