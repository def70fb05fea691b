/**
 * One board and its cards. A change is shown at once; if the server refuses it, it is put back, with the reason.
 * Changes are sent one after the other. While one is under way, changes of the same card by others wait for it.
 */
import { again } from '../api/back'
import { isAway } from '../api/errors'
import { type LiveEvent, onEvents } from '../api/events'
import { queries } from '../api/queries'
import { spaces } from '../api/spaces.svelte'
import {
  archiveTask,
  type Board,
  type BoardContent,
  boardKey,
  boardStart,
  completeTask,
  getTask,
  moveTask,
  restOfBoard,
  type Task,
} from '../api/tasks'
import { gather } from '../api/gather'
import { optimistic } from '../shell/optimistic'
import { say } from '../shell/toasts.svelte'
import { undoable } from '../shell/undo'
import { nextDate } from '../tasks/completed'
import { type Lanes, lanesOf, moved, type Spot, spotOf, withCard, withoutCard } from './arrange'

const GATHER_MS = 40
const MANY = 20

export class BoardState {
  board = $state.raw<Board | null>(null)
  error = $state.raw<unknown>(null)
  lanes = $state.raw<Lanes>(new Map())
  #asked = new AbortController()
  #turn = 0
  #last: Promise<unknown> = Promise.resolve()
  #underWay = new Map<string, number>()

  constructor(readonly id: string) {
    queueMicrotask(() => void this.load()) // not part of the component that makes it
  }

  async load(): Promise<void> {
    this.error = null
    const asked = boardStart(this.id)
    const { signal } = this.#asked
    const first = !this.board
    const turn = (this.#turn += 1)
    try {
      // As it was when it was left, until the answer is there; and an answer that is on its way already is taken. After
      // a change only a question that was asked since will do.
      if (first) this.#show(queries.getQueryData<BoardContent>(boardKey(this.id)))
      const start = await (first ? queries.fetchQuery({ ...asked, staleTime: 0 }) : asked.queryFn({ signal }))
      if (!this.board) this.#show(start)
      const content = await restOfBoard(start, signal)
      if (turn === this.#turn) this.#show(content)
    } catch (error) {
      if (this.#asked.signal.aborted || turn !== this.#turn) return
      this.error = error
      again(error, () => turn === this.#turn && !this.#asked.signal.aborted && void this.load())
    }
  }

  /** Hear what others do; returns how to stop. */
  follow(): () => void {
    const changed = gather(GATHER_MS, (ids) => this.#refresh(ids))
    const later = (event: LiveEvent) => {
      if (event.type === 'reset' || event.type.startsWith('board.')) changed.add(this.id)
      else if (event.type === 'task.deleted') this.drop(event.subject)
      else changed.add(event.subject)
    }
    const stops = [onEvents('task.', later), onEvents('board.', (event) => event.type !== 'reset' && later(event))]
    return () => {
      stops.forEach((stop) => stop())
      changed.stop()
      this.#asked.abort()
      // Nothing is kept of a space that the person was taken out of.
      if (this.board && spaces.isReached(this.board.spaceId))
        queries.setQueryData(boardKey(this.id), { board: this.board, tasks: this.tasks })
    }
  }

  get tasks(): Task[] {
    return [...this.lanes.values()].flat()
  }

  find(id: string | null): Task | null {
    return this.tasks.find((task) => task.id === id) ?? null
  }

  put(task: Task): void {
    const here = task.placement?.boardId === this.id && !task.archived && task.trashedAt === null
    if (!here) return this.drop(task.id)
    const known = this.find(task.id)
    if (known && known.version > task.version) return // a newer answer is here already
    this.lanes = withCard(this.lanes, task)
  }

  drop(id: string): void {
    if (this.find(id)) this.lanes = withoutCard(this.lanes, id)
  }

  move(id: string, to: Spot): void {
    const task = this.find(id)
    const from = spotOf(this.lanes, id)
    if (!task || !this.board || !from) return
    const change = moved(this.board, this.lanes, task, to)
    if (!change || (from.columnId === to.columnId && from.index === to.index)) return
    this.#send(
      task,
      () => this.put(change.task),
      () => moveTask(id, change.body),
      {
        failed: 'Not moved',
        again: () => (this.move(id, to), this.#last),
        done: () => {
          if (from.columnId !== to.columnId) say(`Moved to ${this.#nameOf(to.columnId)}`, undoable([id]))
        },
      },
    )
  }

  moveToEnd(id: string, columnId: string): void {
    this.move(id, { columnId, index: this.#behindAll(id, columnId) })
  }

  complete(id: string): void {
    const task = this.find(id)
    const from = spotOf(this.lanes, id)
    const column = this.board?.columns.find((each) => (task?.recurrence ? each.isEntry : each.isTerminal))
    if (!task || !from || !column || !this.board || (task.status === 'done' && !task.recurrence)) return
    const change = moved(this.board, this.lanes, task, { columnId: column.id, index: this.#behindAll(id, column.id) })
    this.#send(
      task,
      () => change && this.put(change.task),
      () => completeTask(id),
      {
        failed: 'Not completed',
        again: () => (this.complete(id), this.#last),
        done: (after) => say(`${task.title} completed${nextDate(after)}`, undoable([id])),
      },
    )
  }

  archive(id: string): void {
    const task = this.find(id)
    if (!task) return
    this.#send(
      task,
      () => this.drop(id),
      () => archiveTask(id),
      {
        failed: 'Not archived',
        again: () => (this.archive(id), this.#last),
        done: () => say(`${task.title} archived`, undoable([id])),
      },
    )
  }

  #send(
    before: Task,
    show: () => void,
    act: () => Promise<Task>,
    { failed, again, done }: { failed: string; again?: () => unknown; done?: (task: Task) => void },
  ): void {
    const { id } = before
    const turn = this.#last
    this.#underWay.set(id, (this.#underWay.get(id) ?? 0) + 1)
    const change = optimistic({
      show,
      act: () => turn.then(act),
      done: (after) => {
        if (this.#underWay.get(id) === 1) this.put(after)
        done?.(after)
      },
      putBack: () => this.put(before),
      failed,
      again,
    })
    this.#last = change.finally(() => {
      const left = (this.#underWay.get(id) ?? 1) - 1
      if (left) this.#underWay.set(id, left)
      else this.#underWay.delete(id)
    })
  }

  async #refresh(ids: string[]): Promise<void> {
    await this.#last
    if (ids.includes(this.id) || ids.length > MANY) return this.load()
    const found = await Promise.all(ids.map((id) => getTask(id).catch(unlessAway)))
    for (const task of found) {
      const known = task && this.find(task.id)
      if (task && !this.#underWay.has(task.id) && !(known && isSame(known, task))) this.put(task)
    }
  }

  #show(content: BoardContent | undefined): void {
    if (!content || this.#asked.signal.aborted) return
    const known = new Map(this.tasks.map((task) => [task.id, task]))
    this.board = content.board
    // A task that has not changed stays the same object, so that its card has nothing to do.
    const tasks = content.tasks.map((task) => {
      const before = known.get(task.id)
      return before && (this.#underWay.has(task.id) || isSame(before, task)) ? before : task
    })
    this.lanes = lanesOf(content.board.columns, tasks)
  }

  #behindAll(id: string, columnId: string): number {
    return (this.lanes.get(columnId) ?? []).filter((task) => task.id !== id).length
  }

  #nameOf(columnId: string): string {
    return this.board?.columns.find((each) => each.id === columnId)?.name ?? ''
  }
}

/** A card that is refused is not shown; while the server is away, nothing is known. */
function unlessAway(error: unknown): null {
  if (isAway(error)) throw error
  return null
}

function isSame(a: Task, b: Task): boolean {
  return a.version === b.version && a.placement?.rank === b.placement?.rank
}
