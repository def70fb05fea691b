/** The message about a completed task. A task that repeats moves on to its next date instead of ending. */
import type { Task } from '../api/tasks'
import { day } from './due'

/** The end of the message that it was completed. */
export function nextDate(after: Task): string {
  if (after.status === 'done') return ''
  return `. ↻ next: ${after.dueAt === null ? 'no date' : day(after.dueAt)}`
}
