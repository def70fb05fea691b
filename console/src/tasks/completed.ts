/** The message about a completed task. A task that repeats moves on to its next date instead of ending. */
import type { Task } from '../api/tasks'
import { day, dueMoment } from './due'

/** The end of the message that it was completed. */
export function nextDate(after: Task): string {
  if (after.status === 'done') return ''
  const at = dueMoment(after)
  return `. ↻ next: ${at === null ? 'no date' : day(at)}`
}
