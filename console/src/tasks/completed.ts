/** Completing a task, and taking it back. A task that repeats moves on to its next date instead of ending. */
import type { Task, TaskPatch } from '../api/tasks'
import { day } from './due'

/** The end of the message that it was completed. */
export function nextDate(after: Task): string {
  if (after.status === 'done') return ''
  return `. ↻ next: ${after.dueAt === null ? 'no date' : day(after.dueAt)}`
}

/** The patch that makes the task as it was again. */
export function beforeCompletion({ status, dueAt, reminder, recurrence }: Task): TaskPatch {
  return recurrence ? { status, dueAt, reminder } : { status }
}
