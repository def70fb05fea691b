/** How far a checklist is: "3 of 5"; nothing without items. */
import type { Task } from '../api/tasks'

export function progressOf({ checklist }: Task): string {
  return checklist.length ? `${checklist.filter(({ done }) => done).length} of ${checklist.length}` : ''
}
