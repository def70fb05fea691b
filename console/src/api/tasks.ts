/** Tasks and boards, as their screens need them. */
import { personZone } from '../shell/person_time.svelte'
import { did } from './acts'
import { api } from './client'
import { ApiError, refusal } from './errors'
import type { Schemas } from './queries'
import { ALL, spaces } from './spaces.svelte'

export type Task = Schemas['TaskView']
export type Board = Schemas['BoardView']
export type Column = Schemas['ColumnView']
export type Status = Task['status']
export type TaskPatch = Schemas['TaskPatchBody']
export type Destination = Schemas['MoveBody']
export type TaskOperation = Schemas['BatchBody']['operations'][number]

export interface TasksQuery {
  status?: Status
  tags?: string
  archived?: 'false' | 'true' | 'only'
  /** The board decides where both are given. */
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
const MOST_STEPS = 10_000
const STATUSES: Status[] = ['todo', 'in_progress', 'done']

/** Throws ApiError. */
export async function listTasks(
  query: TasksQuery,
  cursor: string | null = null,
  signal?: AbortSignal,
): Promise<TasksPage> {
  const ask = () =>
    api('get', '/taskapp/tasks', { signal, query: { ...query, limit: LIMIT, cursor: cursor ?? undefined } })
  const { data, meta } = await indexed(ask, query.spaceId)
  return { tasks: data, next: meta.nextCursor ?? null }
}

export const getTask = async (id: string): Promise<Task> => (await api('get', '/taskapp/tasks/{task_id}', at(id))).data

export const patchTask = async (id: string, body: TaskPatch): Promise<Task> =>
  noted((await api('patch', '/taskapp/tasks/{task_id}', { ...at(id), body })).data)

export const moveTask = async (id: string, body: Destination): Promise<Task> =>
  noted((await api('patch', '/taskapp/tasks/{task_id}/move', { ...at(id), body })).data)

export const completeTask = async (id: string): Promise<Task> =>
  noted((await api('post', '/taskapp/tasks/{task_id}/complete', at(id))).data)
export const archiveTask = async (id: string): Promise<Task> =>
  noted((await api('post', '/taskapp/tasks/{task_id}/archive', at(id))).data)
export const restoreTask = async (id: string): Promise<Task> =>
  noted((await api('post', '/taskapp/tasks/{task_id}/restore', at(id))).data)

function noted(task: Task): Task {
  did([task])
  return task
}

/** One result for each operation, in their order: the task after it, or why it was refused. */
export async function batchTasks(operations: TaskOperation[]): Promise<(Task | ApiError)[]> {
  const found: (Task | ApiError)[] = []
  for (let at = 0; at < operations.length; at += MOST_OPERATIONS) {
    const some = operations.slice(at, at + MOST_OPERATIONS)
    try {
      const { data } = await api('post', '/taskapp/tasks/batch', { body: { operations: some } })
      for (const { task, error, status } of data)
        found.push(task ?? refusal(status, error ?? { code: 'unknown', message: '' }))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      found.push(...some.map(() => error))
    }
  }
  did(found.filter((each) => !(each instanceof ApiError)))
  return found
}

export const upcomingOf = async (id: string): Promise<Schemas['UpcomingView'][]> =>
  (await api('get', '/taskapp/tasks/{task_id}/upcoming', at(id))).data

export type NewTask = Partial<Schemas['CreateBody']>

/** With the same key a retry makes no second one. `quick`: the title is a line of quick add. */
export async function createTask(title: string, key: string, more: NewTask = {}): Promise<Task> {
  return (
    await api('post', '/taskapp/tasks', { body: { title, timeZone: personZone(), idempotencyKey: key, ...more } })
  ).data
}

/** The task that a line of quick add would make. */
export const parseTask = async (text: string, spaceId?: string, signal?: AbortSignal): Promise<Schemas['ParsedView']> =>
  (await api('post', '/taskapp/tasks/parse', { signal, body: { text, timeZone: personZone(), spaceId } })).data

/** The boards of the space that is open, or of another. */
export const boardList = (spaceId = spaces.open) => ({
  queryKey: ['boards', spaceId],
  queryFn: () => listBoards(spaceId),
})

export const taskTags = (spaceId = spaces.target) => ({
  queryKey: ['task-tags', spaceId],
  queryFn: () =>
    indexed(async () => (await api('get', '/taskapp/tags', { query: { limit: LIMIT, spaceId } })).data, spaceId),
})

const getBoard = async (id: string): Promise<Board> =>
  (await api('get', '/taskapp/boards/{board_id}', { path: { board_id: id } })).data

export interface BoardContent {
  board: Board
  tasks: Task[]
}

/** A board and the first cards of each status, with the way to the rest. */
export interface BoardStart extends BoardContent {
  left: { query: TasksQuery; next: string }[]
}

/** Under which a board is kept for a while after it was left. */
export const boardKey = (id: string) => ['board', id, 'left']

/** By status, all at once: that is the order of the columns' cards, and one answer takes no longer than another. */
export const boardStart = (id: string) => ({
  queryKey: ['board', id],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<BoardStart> => {
    const [board, ...lists] = await Promise.all([
      getBoard(id),
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

async function listBoards(spaceId: string): Promise<Board[]> {
  const found: Board[] = []
  for (let cursor: string | undefined; ;) {
    const { data, meta }: { data: Board[]; meta: { nextCursor?: string | null } } = await api(
      'get',
      '/taskapp/boards',
      { query: { limit: LIMIT, cursor, spaceId } },
    )
    found.push(...data)
    if (!meta.nextCursor) return found
    cursor = meta.nextCursor
  }
}

/** Lists need the index of a space's tasks, which is activated once; here it happens by itself. */
export async function indexed<T>(ask: () => Promise<T>, spaceId = 'own'): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'task_index_not_activated') throw error
    await (activating ??= activate(spaceId).finally(() => (activating = null)))
    return ask()
  }
}

let activating: Promise<void> | null = null

async function activate(spaceId: string): Promise<void> {
  const each = spaces.list.filter(({ id, trashedAt }) => trashedAt === null && spaces.may(id)).map(({ id }) => id)
  for (const id of spaceId === ALL ? ['own', ...each] : [spaceId]) await activateOne(id)
}

async function activateOne(spaceId: string): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step += 1) {
    if ((await api('post', '/taskapp/task-index/backfill', { query: { spaceId } })).data.complete) return
  }
}

function at(id: string): { path: { task_id: string } } {
  return { path: { task_id: id } }
}
