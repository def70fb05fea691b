/** Undo, as messages and the key `z` offer it. It is loaded when it is wanted. */
import { type Toast, lastRetry, sayFailed } from './toasts.svelte'

const late = (run: (undo: typeof import('./undo')) => Promise<void>): void =>
  void import('./undo').then(run).catch((error: unknown) => sayFailed('Not undone', error))

/** The action of a message about a change of these. */
export const undoable = (ids: string[]): NonNullable<Toast['action']> => ({
  name: 'Undo',
  run: () => late(({ undoOn }) => undoOn(ids)),
})

/** Try again what failed just now, or else undo the last change of this browser. */
export function undoOrRetry(): void {
  const retry = lastRetry()
  if (retry) retry()
  else late(({ undoLast }) => undoLast())
}
