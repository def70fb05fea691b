/** The tasks of a view, as far as they are loaded, and what is done to them: shown first, put back if it fails. */
import { ApiError, reasonOf } from '../api/errors'
import { onEvents } from '../api/events'
import {
  archiveTask,
  type Column,
  completeTask,
  getTask,
  listTasks,
  moveTask,
  patchTask,
  restoreTask,
  type Status,
  type Task,
  type TasksQuery,
} from '../api/tasks'
import { say, sayFailed } from '../shell/toasts.svelte'
import { many } from '../shell/words'
import { day } from './due'
import { belongs, type View } from './views'

const GATHER_MS = 100

export class TaskList {
  items = $state.raw<Task[]>([])
  error = $state.raw<ApiError | null>(null)
  starting = $state(true)
  more = $state(false)
  #sources: { query: TasksQuery; cursor: string | null; ended: boolean }[]
  #asked = new AbortController()

  constructor(
    private readonly view: View,
    queries: TasksQuery[],
  ) {
    this.#sources = queries.map((query) => ({ query, cursor: null, ended: false }))
    queueMicrotask(() => void this.load()) // not within who makes it
  }

  /** The next page of each list. */
  async load(): Promise<void> {
    this.error = null
    try {
      const open = this.#sources.filter((source) => !source.ended)
      const pages = await Promise.all(open.map(({ query, cursor }) => listTasks(query, cursor, this.#asked.signal)))
      for (const [at, { tasks, next }] of pages.entries()) {
        open[at]!.cursor = next
        open[at]!.ended = next === null
        const known = new Set(this.items.map((task) => task.id))
        this.items = [...this.items, ...tasks.filter((task) => !known.has(task.id))]
      }
      this.more = this.#sources.some((source) => !source.ended)
      this.starting = false
    } catch (error) {
      if (this.#asked.signal.aborted) return
      this.error = error instanceof ApiError ? error : new ApiError(0, 'unknown', reasonOf(error))
      this.starting = false
    }
  }

  /** Hear what happens elsewhere; returns how to stop. */
  follow(): () => void {
    const changed = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onEvents('task.', ({ type, subject }) => {
      if (type === 'reset') return
      if (type === 'task.deleted') return this.remove(subject)
      changed.add(subject)
      timer ??= setTimeout(() => {
        timer = undefined
        const ids = [...changed]
        changed.clear()
        void Promise.all(
          ids.map((id) =>
            getTask(id).then(
              (task) => this.put(task),
              () => {},
            ),
          ),
        )
      }, GATHER_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
      this.#asked.abort()
    }
  }

  find(id: string | null): Task | null {
    return this.items.find((task) => task.id === id) ?? null
  }

  put(task: Task): void {
    if ((this.find(task.id)?.version ?? 0) > task.version) return // an answer that was overtaken
    if (!belongs(task, this.view)) return this.remove(task.id)
    this.items = this.find(task.id)
      ? this.items.map((each) => (each.id === task.id ? task : each))
      : [task, ...this.items]
  }

  remove(id: string): void {
    if (this.find(id)) this.items = this.items.filter((task) => task.id !== id)
  }

  complete(tasks: Task[]): Promise<void> {
    const open = tasks.filter((task) => task.status !== 'done' || task.recurrence)
    return this.#each(
      open,
      'completed',
      completeTask,
      (task) => (task.recurrence ? task : { ...task, status: 'done' as Status }),
      (task) => (task.recurrence ? null : () => patchTask(task.id, { status: task.status })),
    )
  }

  reopen(tasks: Task[]): Promise<void> {
    return this.#each(
      tasks,
      'reopened',
      (id) => patchTask(id, { status: 'todo' }),
      (task) => ({ ...task, status: 'todo' as Status }),
      (task) => () => completeTask(task.id),
    )
  }

  archive(tasks: Task[]): Promise<void> {
    return this.#each(
      tasks,
      'archived',
      archiveTask,
      (task) => ({ ...task, archived: true }),
      (task) => () => restoreTask(task.id),
    )
  }

  restore(tasks: Task[]): Promise<void> {
    return this.#each(
      tasks,
      'restored',
      restoreTask,
      (task) => ({ ...task, archived: false }),
      (task) => () => archiveTask(task.id),
    )
  }

  tag(tasks: Task[], tags: string[]): Promise<void> {
    const withTags = (task: Task) => ({ ...task, tags: [...new Set([...task.tags, ...tags])] })
    return this.#each(
      tasks,
      'tagged',
      (id) => patchTask(id, { tags: withTags(tasks.find((task) => task.id === id)!).tags }),
      withTags,
      (task) => () => patchTask(task.id, { tags: task.tags }),
    )
  }

  /** To the end of a column, or off every board. */
  move(tasks: Task[], to: Column | null): Promise<void> {
    const shown = (task: Task): Task =>
      to
        ? { ...task, status: to.status, placement: { boardId: to.boardId, columnId: to.id, rank: '' } }
        : { ...task, placement: null }
    const statusOf = (id: string) => tasks.find((task) => task.id === id)!.status
    const act = (id: string) =>
      to
        ? moveTask(id, { status: to.status, board: to.boardId, columnId: to.id })
        : moveTask(id, { status: statusOf(id), board: null })
    return this.#each(
      tasks,
      'moved',
      act,
      shown,
      ({ id, status, placement }) =>
        () =>
          moveTask(id, { status, board: placement?.boardId ?? null, columnId: placement?.columnId }),
    )
  }

  async #each(
    tasks: Task[],
    word: string,
    act: (id: string) => Promise<Task>,
    shown: (task: Task) => Task,
    undo: (task: Task) => (() => Promise<Task>) | null,
  ): Promise<void> {
    if (tasks.length === 0) return
    for (const task of tasks) this.put(shown(task))
    const undos: (() => Promise<Task>)[] = []
    const left = [...tasks]
    let last: Task | null = null
    try {
      for (const task of tasks) {
        this.put((last = await act(task.id)))
        const back = undo(task)
        if (back) undos.push(back)
        left.shift()
      }
      const next =
        tasks.length === 1 && last?.recurrence && last.status !== 'done' && word === 'completed' && last.dueAt !== null
          ? `. ↻ next: ${day(last.dueAt)}`
          : ''
      const what = tasks.length === 1 ? tasks[0]!.title : many(tasks.length, 'task')
      say(`${what} ${word}${next}`, undos.length ? { name: 'Undo', run: () => void this.#undo(undos) } : undefined)
    } catch (error) {
      for (const task of left) this.put(task)
      sayFailed(`${many(left.length, 'task')} not ${word}`, error, () => void this.#each(left, word, act, shown, undo))
    }
  }

  async #undo(undos: (() => Promise<Task>)[]): Promise<void> {
    try {
      for (const undo of undos) this.put(await undo())
    } catch (error) {
      sayFailed('Not undone', error)
    }
  }
}
