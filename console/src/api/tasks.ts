/** Tasks and boards, as their screens need them. */
import { ApiError, type Board, type Column, type Schemas, StowError, type Task } from '@stowboard/client'

import { personZone } from '../shell/person_time.svelte'
import { did } from './acts'
import { api, stow } from './client'
import { spaces } from './spaces.svelte'

export type { Board, Column, Task }
export type Status = Task['status']
export type TaskPatch = Schemas['TaskPatchBody']
export type Destination = Schemas['MoveBody']
export type TaskOperation = Schemas['BatchBody']['operations'][number]

export interface TasksQuery {
  status?: Status
  tags?: string
  archived?: 'false' | 'true' | 'only'
  /** If both are given, the board decides. */
  spaceId?: string
  boardId?: string
  dueBefore?: number
  dueAfter?: number
  /** A username, or `me`. */
  assignee?: string
  q?: string
}

export interface TasksPage {
  tasks: Task[]
  next: string | null
}

const LIMIT = 100
const MOST_OPERATIONS = 100
const STATUSES: Status[] = ['todo', 'in_progress', 'done']

/** Throws StowError. */
export async function listTasks(
  query: TasksQuery,
  cursor: string | null = null,
  signal?: AbortSignal,
): Promise<TasksPage> {
  const { data, next } = await stow.tasks.list({ ...query, limit: LIMIT }, { signal }).page(cursor)
  return { tasks: data, next }
}

export const getTask = (id: string): Promise<Task> => stow.tasks.get(id)
export const patchTask = async (id: string, body: TaskPatch): Promise<Task> => noted(await stow.tasks.update(id, body))
export const moveTask = async (id: string, to: Destination): Promise<Task> => noted(await stow.tasks.move(id, to))
export const completeTask = async (id: string): Promise<Task> => noted(await stow.tasks.complete(id))
export const archiveTask = async (id: string): Promise<Task> => noted(await stow.tasks.archive(id))
export const restoreTask = async (id: string): Promise<Task> => noted(await stow.tasks.restore(id))

function noted(task: Task): Task {
  did([task])
  return task
}

/** The task after an operation of a batch, or why it was refused. */
export const resultOf = ({ task, error, status }: Schemas['BatchResult']): Task | ApiError =>
  task ?? new ApiError(status, error?.code ?? 'unknown', error?.message ?? '')

/** One result for each operation, in their order. */
export async function batchTasks(operations: TaskOperation[]): Promise<(Task | StowError)[]> {
  const found: (Task | StowError)[] = []
  for (let at = 0; at < operations.length; at += MOST_OPERATIONS) {
    const some = operations.slice(at, at + MOST_OPERATIONS)
    try {
      const { data } = await api('post', '/taskapp/tasks/batch', { body: { operations: some } })
      found.push(...data.map(resultOf))
    } catch (error) {
      if (!(error instanceof StowError)) throw error
      found.push(...some.map(() => error))
    }
  }
  did(found.filter((each) => 'id' in each))
  return found
}

export const upcomingOf = async (id: string): Promise<Schemas['UpcomingView'][]> =>
  (await api('get', '/taskapp/tasks/{task_id}/upcoming', { path: { task_id: id } })).data

export type NewTask = Partial<Schemas['CreateBody']>

/** With the same key, a retry makes no second task. `quick`: the title is a line of quick add. */
export const createTask = (title: string, key: string, more: NewTask = {}): Promise<Task> =>
  stow.tasks.create({ title, timeZone: personZone(), idempotencyKey: key, ...more })

/** The task that a line of quick add would make. */
export const parseTask = async (text: string, spaceId?: string, signal?: AbortSignal): Promise<Schemas['ParsedView']> =>
  (await api('post', '/taskapp/tasks/parse', { signal, body: { text, timeZone: personZone(), spaceId } })).data

/** The boards of a space, by default of the one that is open. */
export const boardList = (spaceId = spaces.openForTasks) => ({
  queryKey: ['boards', spaceId],
  queryFn: () => stow.boards.list({ limit: LIMIT, spaceId }).all(),
})

export const taskTags = (spaceId = spaces.target) => ({
  queryKey: ['task-tags', spaceId],
  queryFn: async () => (await stow.list('/taskapp/tags', { limit: LIMIT, spaceId }).page()).data,
})

export interface BoardContent {
  board: Board
  tasks: Task[]
}

/** A board and the first cards of each status, with the way to the rest. */
export interface BoardStart extends BoardContent {
  left: { query: TasksQuery; next: string }[]
}

/** The key of a board, which is kept for a while after the board was left. */
export const boardKey = (id: string) => ['board', id, 'left']

/** One list for each status, in the order of the columns' cards. All are asked for at once, in one answer's time. */
export const boardStart = (id: string) => ({
  queryKey: ['board', id],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<BoardStart> => {
    const [board, ...lists] = await Promise.all([
      stow.boards.get(id),
      ...STATUSES.map((status) => start({ boardId: id, status }, signal)),
    ])
    return { board, tasks: lists.flatMap(({ tasks }) => tasks), left: lists.flatMap(({ left }) => left) }
  },
})

export async function restOfBoard({ board, tasks, left }: BoardStart, signal: AbortSignal): Promise<BoardContent> {
  const rest = await Promise.all(left.map(({ query, next }) => pagesFrom(query, next, signal)))
  // A card that was moved meanwhile may have come with two of the lists.
  const byId = new Map<string, Task>()
  for (const task of [...tasks, ...rest.flat()])
    if ((byId.get(task.id)?.version ?? -1) < task.version) byId.set(task.id, task)
  return { board, tasks: [...byId.values()] }
}

async function start(query: TasksQuery, signal: AbortSignal): Promise<Pick<BoardStart, 'tasks' | 'left'>> {
  const { tasks, next } = await listTasks(query, null, signal)
  return { tasks, left: next === null ? [] : [{ query, next }] }
}

async function pagesFrom(query: TasksQuery, cursor: string | null, signal: AbortSignal): Promise<Task[]> {
  const found: Task[] = []
  while (cursor !== null) {
    const page: TasksPage = await listTasks(query, cursor, signal)
    found.push(...page.tasks)
    cursor = page.next
  }
  return found
}
