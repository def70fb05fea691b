/** The tasks of a view, as far as they are loaded, and changes to them: shown first, put back if they fail. */
import { again } from '../api/back'
import { isAway } from '../api/errors'
import { onEvents } from '../api/events'
import { spaces } from '../api/spaces.svelte'
import {
  batchTasks,
  type Column,
  getTask,
  listTasks,
  type Task,
  type TaskOperation,
  type TasksQuery,
} from '../api/tasks'
import { gather } from '../api/gather'
import { optimistic } from '../shell/optimistic'
import { say } from '../shell/toasts.svelte'
import { undoable } from '../shell/undo'
import { many } from '../shell/words'
import { nextDate } from './completed'
import { belongs, type View } from './views'

const GATHER_MS = 100

export class TaskList {
  items = $state.raw<Task[]>([])
  error = $state.raw<unknown>(null)
  starting = $state(true)
  more = $state(false)
  #sources: { query: TasksQuery; cursor: string | null; ended: boolean }[]
  #asked = new AbortController()

  constructor(
    private readonly view: View,
    queries: TasksQuery[],
    private readonly person: () => string = () => '',
  ) {
    this.#sources = queries.map((query) => ({ query, cursor: null, ended: false }))
    queueMicrotask(() => void this.load()) // not part of the component that makes it
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
      this.error = error
      this.starting = false
      again(error, () => this.error === error && !this.#asked.signal.aborted && void this.load())
    }
  }

  /** Listen to changes from elsewhere. Returns a function that ends this. */
  follow(): () => void {
    const put = (id: string) =>
      getTask(id).then(
        (task) => this.put(task),
        (error: unknown) => {
          if (isAway(error)) throw error
        },
      )
    const changed = gather(GATHER_MS, (ids) => Promise.all(ids.map(put)))
    const stop = onEvents('task.', ({ type, subject }) => {
      if (type === 'reset') return
      if (type === 'task.deleted') return this.remove(subject)
      changed.add(subject)
    })
    return () => {
      stop()
      changed.stop()
      this.#asked.abort()
    }
  }

  find(id: string | null): Task | null {
    return this.items.find((task) => task.id === id) ?? null
  }

  put(task: Task): void {
    if ((this.find(task.id)?.version ?? 0) > task.version) return // a newer answer is here already
    const shown = this.view === 'mine' || spaces.shows(task.spaceId, spaces.openForTasks)
    if (!shown || !belongs(task, this.view, this.person())) return this.remove(task.id)
    this.items = this.find(task.id)
      ? this.items.map((each) => (each.id === task.id ? task : each))
      : [task, ...this.items]
  }

  remove(id: string): void {
    if (this.find(id)) this.items = this.items.filter((task) => task.id !== id)
  }

  complete(tasks: Task[]): Promise<boolean> {
    const open = tasks.filter((task) => task.status !== 'done' || task.recurrence)
    return this.#change(open, {
      word: 'completed',
      operation: ({ id }) => ({ op: 'complete', id }),
      shown: (task) => (task.recurrence ? task : { ...task, status: 'done' }),
    })
  }

  reopen(tasks: Task[]): Promise<boolean> {
    return this.#change(tasks, {
      word: 'reopened',
      operation: ({ id }) => ({ op: 'update', id, status: 'todo' }),
      shown: (task) => ({ ...task, status: 'todo' }),
    })
  }

  archive(tasks: Task[]): Promise<boolean> {
    return this.#setArchived(tasks, true)
  }

  restore(tasks: Task[]): Promise<boolean> {
    return this.#setArchived(tasks, false)
  }

  tag(tasks: Task[], tags: string[], form?: HTMLFormElement): Promise<boolean> {
    const all = (task: Task) => [...new Set([...task.tags, ...tags])]
    return this.#change(tasks, {
      word: 'tagged',
      form,
      operation: (task) => ({ op: 'update', id: task.id, tags: all(task) }),
      shown: (task) => ({ ...task, tags: all(task) }),
    })
  }

  /** Move tasks to the end of a column, or off every board. */
  move(tasks: Task[], to: Column | null): Promise<boolean> {
    return this.#change(tasks, {
      word: 'moved',
      operation: ({ id, status }) =>
        to
          ? { op: 'move', id, status: to.status, board: to.boardId, columnId: to.id }
          : { op: 'move', id, status, board: null },
      shown: (task) =>
        to
          ? { ...task, status: to.status, placement: { boardId: to.boardId, columnId: to.id, rank: '' } }
          : { ...task, placement: null },
    })
  }

  #setArchived(tasks: Task[], archived: boolean): Promise<boolean> {
    return this.#change(tasks, {
      word: archived ? 'archived' : 'restored',
      operation: ({ id }) => ({ op: 'update', id, archived }),
      shown: (task) => ({ ...task, archived }),
    })
  }

  /** In as few requests as possible. Refused tasks are put back, and can be tried again; the rest stays changed. */
  async #change(tasks: Task[], { word, operation, shown, form }: TaskChange): Promise<boolean> {
    if (tasks.length === 0) return true
    let left = tasks
    return optimistic({
      form,
      show: () => left.forEach((task) => this.put(shown(task))),
      act: async () => {
        const results = await batchTasks(left.map(operation))
        const refused = left.filter((_, at) => results[at] instanceof Error)
        this.#take(results)
        left = refused
        const reason = results.find((result) => result instanceof Error)
        if (reason) throw reason
        return results as Task[]
      },
      done: ([first]) => {
        const what = tasks.length === 1 ? tasks[0]!.title : many(tasks.length, 'task')
        const next = tasks.length === 1 && word === 'completed' ? nextDate(first!) : ''
        say(`${what} ${word}${next}`, undoable(tasks.map(({ id }) => id)))
      },
      putBack: () => left.forEach((task) => this.put(task)),
      failed: () => `${many(left.length, 'task')} not ${word}`,
    })
  }

  #take(results: (Task | Error)[]): void {
    for (const result of results) if (!(result instanceof Error)) this.put(result)
  }
}

interface TaskChange {
  /** The participle for the message afterwards: "archived". */
  word: string
  form?: HTMLFormElement | undefined
  operation: (task: Task) => TaskOperation
  shown: (task: Task) => Task
}
