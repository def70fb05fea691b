/** Tasks in groups: by the day they are due, by board, person or urgency. The most urgent comes first. */
import type { Task } from '../api/tasks'
import { dayName } from './due'
import { urgencyOf } from './priority'

export const GROUPINGS = [
  ['day', 'Day'],
  ['board', 'Board'],
  ['person', 'Person'],
  ['priority', 'Priority'],
  ['none', 'Newest first'],
] as const
export type Grouping = (typeof GROUPINGS)[number][0]

export interface Group {
  name: string
  tasks: Task[]
}

export function groupingOf(text: string | null, otherwise: Grouping): Grouping {
  return GROUPINGS.find(([each]) => each === text)?.[0] ?? otherwise
}

export function grouped(tasks: Task[], by: Grouping, boardName: (task: Task) => string, now = Date.now()): Group[] {
  if (by === 'none') return [{ name: '', tasks }]
  const nameOf = (task: Task): string => {
    if (by === 'day') return dayName(task, now)
    if (by === 'board') return boardName(task) || 'On no board'
    if (by === 'person') return task.assignees.join(', ') || 'Nobody'
    return urgencyOf(task.priority)?.text ?? 'No priority'
  }
  const groups = new Map<string, Task[]>()
  for (const task of [...tasks].sort(by === 'priority' ? byUrgency : byDate)) {
    const name = nameOf(task)
    groups.set(name, [...(groups.get(name) ?? []), task])
  }
  const found = [...groups].map(([name, some]) => ({ name, tasks: some.sort(byUrgency) }))
  return by === 'board' || by === 'person'
    ? found.sort((a, b) => rankOf(a, by) - rankOf(b, by) || a.name.localeCompare(b.name))
    : found
}

/** Tasks on no board, or of nobody, come last. */
const rankOf = ({ tasks: [first] }: Group, by: Grouping): number =>
  (by === 'board' ? first?.placement : first?.assignees.length) ? 0 : 1
const byDate = (a: Task, b: Task): number => (a.dueAt ?? Infinity) - (b.dueAt ?? Infinity) || 0
const byUrgency = (a: Task, b: Task): number => b.priority - a.priority || byDate(a, b)
