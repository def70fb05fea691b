/** The views of one's tasks: what each asks for, and what belongs to it. "My work" is over all spaces. */
import { ALL } from '../api/spaces.svelte'
import type { Status, Task, TasksQuery } from '../api/tasks'
import { startOfDay } from './due'

export const VIEWS = [
  ['today', 'Today'],
  ['upcoming', 'Upcoming'],
  ['mine', 'My work'],
  ['all', 'All'],
  ['archive', 'Archive'],
] as const
const OPEN: Status[] = ['todo', 'in_progress']
export type View = (typeof VIEWS)[number][0]

export function viewOf(text: string | null): View {
  return VIEWS.find(([view]) => view === text)?.[0] ?? 'today'
}

/** A view may need several lists: the API gives tasks of one status, or of all. */
export function queriesOf(view: View, q: string, tags: string, spaceId = 'own', now = Date.now()): TasksQuery[] {
  const asked: TasksQuery = { spaceId, ...(q && { q }), ...(tags && { tags }) }
  const tomorrow = startOfDay(now, 1)
  if (view === 'mine') return OPEN.map((status) => ({ ...asked, spaceId: ALL, assignee: 'me', status }))
  if (view === 'all') return [asked]
  if (view === 'archive') return [{ ...asked, archived: 'only' }]
  const when = view === 'today' ? { dueBefore: tomorrow } : { dueAfter: tomorrow }
  return OPEN.map((status) => ({ ...asked, ...when, status }))
}

/** True if a task that has changed still belongs to the view of this person. A completed one stays in "all". */
export function belongs(task: Task, view: View, person: string, now = Date.now()): boolean {
  if (task.trashedAt !== null) return false
  if (view === 'archive' || task.archived) return (view === 'archive') === task.archived
  if (view === 'all') return true
  if (view === 'mine') return task.status !== 'done' && task.assignees.includes(person)
  if (task.dueAt === null || task.status === 'done') return false
  return (view === 'today') === task.dueAt < startOfDay(now, 1)
}
