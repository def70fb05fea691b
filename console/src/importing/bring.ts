/**
 * Carry out an import, or find out what it would do. It may be stopped and begun again: nothing is made twice. The
 * steps are those of `stow import`, so each can finish what the other has begun: a task is recognised by the key from
 * its source, and goes to its board when its comments are there; a board is recognised by a mark in its description.
 */
import { ApiError, type Schemas } from '@stowboard/client'

import { api, stow } from '../api/client'
import { memberOf, reasonOf } from '../api/errors'
import { type Board, boardList, type Column, resultOf, type Task, type TaskOperation } from '../api/tasks'
import { bringFile } from './bring_file'
import type { ImportLedger, Outcome } from './ledger'
import { cut, paragraphs, type Plan, plainLine, type PlannedBoard, type PlannedTask } from './plan'
import { type ImportWishes, PATIENCE, refusedAlone } from './wishes'

type NewTask = Extract<TaskOperation, { op: 'create' }>
type Read = Schemas['QuickTask'] | null
interface Move {
  source: string
  operation: TaskOperation
}

/** Each task may need a move and an archiving in the same batch. */
const AT_ONCE = 50
const MOST_ITEMS = 100
const MOST_COMMENTS = 1000
/** Members that a task is made without if the server refuses them, with their names in the ledger. */
const SPARED = { recurrence: 'recurrence', assignees: 'assignee' } as const
const FINER_THAN_A_DAY = /FREQ=(HOURLY|MINUTELY|SECONDLY)/i
const STANDING: [Column['status'], string[]][] = [
  ['todo', ['to do', 'todo']],
  ['in_progress', ['doing', 'in progress', 'in-progress']],
  ['done', ['done', 'complete', 'completed', 'finished']],
]

export class TaskImport {
  #dates = new Map<string, Read>()

  constructor(
    readonly wishes: ImportWishes,
    readonly ledger: ImportLedger,
  ) {}

  /** Throws StowError, or the reason of the signal. Then the ledger says what was done before. */
  async bring(plan: Plan): Promise<void> {
    const { isDry, onstep } = this.wishes
    const known = isDry ? await this.#tasksByKey() : null
    let finished = 0
    for (const planned of plan.boards) {
      const board = isDry ? null : await this.#boardFor(planned)
      for (let at = 0; at < planned.tasks.length; at += AT_ONCE) {
        const some = planned.tasks.slice(at, at + AT_ONCE)
        const bodies = await this.#bodies(some)
        const found = known ? some.map(({ source }) => known.get(source) ?? null) : await this.#create(bodies)
        const moves: Move[] = []
        const ends = new Map<string, [Outcome, string?]>()
        for (const [number, task] of some.entries()) {
          const here = found[number] ?? null
          if (here instanceof ApiError) ends.set(task.source, ['refused', reasonFor(here)])
          else {
            const isPresent = here !== null && isFinished(here)
            ends.set(task.source, [isPresent ? 'present' : 'made'])
            await this.#bringParts(task, here, isPresent)
            if (here && board && !isPresent) moves.push(...movesOf(board, task, here))
          }
          onstep((finished += 1))
        }
        const moved = await this.#batch(moves.map(({ operation }) => operation))
        for (const [number, { source }] of moves.entries()) {
          const refused = moved[number]
          if (refused instanceof ApiError) ends.set(source, ['refused', reasonFor(refused)])
        }
        for (const [source, end] of ends) this.ledger.add(source, 'task', ...end)
      }
    }
  }

  async #tasksByKey(): Promise<Map<string, Task>> {
    const { spaceId, signal } = this.wishes
    const found = new Map<string, Task>()
    for (const some of [{ archived: 'true' }, { trashed: 'only' }] as const)
      for await (const task of stow.tasks.list({ ...some, spaceId, limit: 100 }, { signal }))
        if (task.idempotencyKey) found.set(task.idempotencyKey, task)
    return found
  }

  async #boardFor(planned: PlannedBoard): Promise<Board> {
    const { spaceId, signal } = this.wishes
    const mark = `[${planned.source}]`
    const name = cut(plainLine(planned.name), 200) || 'Untitled'
    const found = (await boardList(spaceId).queryFn()).find(({ description }) => description.includes(mark))
    const body = { name, description: mark, spaceId }
    const board = found ?? (await stow.boards.create(body, { signal, ...PATIENCE }))
    for (const name of planned.columns.map((column) => cut(plainLine(column), 200))) {
      if (!name || columnFor(board, name)) continue
      const ask = { path: { board_id: board.id }, body: { name, status: 'todo' as const }, signal, ...PATIENCE }
      board.columns.push((await api('post', '/taskapp/boards/{board_id}/columns', ask)).data)
    }
    return board
  }

  async #bodies(some: PlannedTask[]): Promise<NewTask[]> {
    const bodies = []
    for (const planned of some) {
      const zone = planned.zone ?? this.wishes.zone
      let body = planned.body
      let read = await this.#readDate(planned.dueText, zone)
      if (planned.dueText && !read) {
        body = paragraphs(body, `Due: ${planned.dueText}`)
        read = await this.#readDate(planned.dueOnce, zone)
      }
      const { dueAt, dueOn, recurrence } = read ?? planned
      const items = planned.checklist.map(([title, done]) => ({ title: cut(plainLine(title), 500) || '?', done }))
      const more = items.slice(MOST_ITEMS).map(({ title, done }) => `- [${done ? 'x' : ' '}] ${title}`)
      const tags = planned.tags.map((tag) => cut(plainLine(tag.replaceAll(',', ' ')), 64)).filter(Boolean)
      bodies.push({
        op: 'create' as const,
        title: cut(plainLine(planned.title), 500) || 'Untitled',
        body: cut([body, ...more].join('\n').trim(), 100_000) || undefined,
        ...(dueOn ? { dueOn } : { dueAt }),
        startAt: planned.startAt && dueAt ? Math.min(planned.startAt, dueAt) : planned.startAt,
        recurrence,
        recurrenceFrom: planned.fromCompletion ? ('completion' as const) : read?.recurrenceFrom,
        timeZone: zone,
        tags: [...new Set(tags)].slice(0, 50),
        priority: planned.priority,
        checklist: items.slice(0, MOST_ITEMS),
        assignees: [...new Set(planned.people.flatMap((name) => this.wishes.people.get(name) ?? []))],
        idempotencyKey: planned.source,
        spaceId: this.wishes.spaceId,
      })
    }
    return bodies
  }

  /** The date that the text is; null if it has other words. */
  async #readDate(text: string, timeZone: string): Promise<Read> {
    if (!text) return null
    const key = `${timeZone} ${text}`
    if (!this.#dates.has(key)) {
      const body = { text: cut(`x ${text}`, 500), timeZone }
      const { signal } = this.wishes
      const { data } = await api('post', '/taskapp/tasks/parse', { body, signal, ...PATIENCE })
      this.#dates.set(key, data.task.title === 'x' ? data.task : null)
    }
    return this.#dates.get(key)!
  }

  /** The task without assignees who are not members of the space, and without a rule that the server refuses. */
  async #create(bodies: NewTask[]): Promise<(Task | ApiError)[]> {
    const results = await this.#batch(bodies)
    for (const [number, result] of results.entries()) {
      const member = memberOf(result) as keyof typeof SPARED | null
      if (!member || !(member in SPARED) || !bodies[number]![member]) continue
      this.ledger.add(bodies[number]!.idempotencyKey!, SPARED[member], 'refused', reasonOf(result))
      results[number] = (await this.#create([{ ...bodies[number]!, [member]: null }]))[0]!
    }
    return results
  }

  /** `here` is null if nothing is to be made. A task that was imported before gets no more comments. */
  async #bringParts(planned: PlannedTask, here: Task | null, isPresent: boolean): Promise<void> {
    const { people, isDry } = this.wishes
    const add = (part: string, kind: string, outcome: Outcome, reason?: string) =>
      this.ledger.add(planned.source + part, kind, outcome, reason)
    const outcome = isPresent ? 'present' : 'made'
    if (!isPresent && planned.dueText && !(await this.#readDate(planned.dueText, planned.zone ?? this.wishes.zone)))
      add('', 'date', 'refused', `Not understood, and kept in the text: ${planned.dueText}`)
    if (isDry && !isPresent && FINER_THAN_A_DAY.test(planned.recurrence ?? ''))
      add('', 'recurrence', 'refused', 'A task repeats once a day at most.')
    for (const name of planned.people) {
      const username = people.get(name)
      if (!username) add('', 'assignee', 'refused', `Nobody was chosen for ${name}.`)
      else if (!here || here.assignees.includes(username)) add('', 'assignee', outcome)
    }
    for (const [number, { author, body, at }] of planned.comments.entries()) {
      const part = `#${number}`
      if (here && number < here.commentCount) add(part, 'comment', 'present')
      else if (isPresent) add(part, 'comment', 'refused', 'The task was brought in before.')
      else if (number >= MOST_COMMENTS) add(part, 'comment', 'refused', `A task gets ${MOST_COMMENTS} comments.`)
      else {
        const imported = { author: cut(plainLine(people.get(author) ?? author), 200) || 'somebody', at }
        const reason = here && !isDry ? await this.#comment(here.id, number, cut(body, 10_000), imported) : undefined
        add(part, 'comment', reason ? 'refused' : 'made', reason)
      }
    }
    for (const [number, file] of planned.files.entries())
      add(`@${number}`, 'file', ...(await bringFile(file, `${planned.source}@${number}`, here, this.wishes)))
  }

  /** A comment whose text says who wrote it: nobody speaks in another person's name. Returns why it was refused. */
  async #comment(
    id: string,
    number: number,
    body: string,
    imported: Schemas['ImportedBody'],
  ): Promise<string | undefined> {
    const ask = {
      path: { task_id: id },
      idempotencyKey: `import ${id}#${number}`,
      body: { body, imported },
      signal: this.wishes.signal,
      ...PATIENCE,
    }
    try {
      await api('post', '/taskapp/tasks/{task_id}/comments', ask)
    } catch (error) {
      return refusedAlone(error)
    }
  }

  /** One result for each operation. The server refuses all if it cannot read one; smaller batches find that one. */
  async #batch(operations: TaskOperation[]): Promise<(Task | ApiError)[]> {
    if (operations.length === 0) return []
    try {
      const ask = { body: { operations }, signal: this.wishes.signal, ...PATIENCE }
      return (await api('post', '/taskapp/tasks/batch', ask)).data.map(resultOf)
    } catch (error) {
      if (!(error instanceof ApiError) || ![400, 413].includes(error.status)) throw error
      if (operations.length === 1) return [error]
      const half = Math.ceil(operations.length / 2)
      return [...(await this.#batch(operations.slice(0, half))), ...(await this.#batch(operations.slice(half)))]
    }
  }
}

/** True if nothing is left to do: the task was put on a board or archived, or somebody has changed it. */
function isFinished(task: Task): boolean {
  const isChanged = task.version > 1 + task.commentCount + task.attachments.length
  return isChanged || task.archived || task.placement !== null
}

const reasonFor = (error: ApiError): string => (error.code === 'conflict' ? 'It was deleted here.' : reasonOf(error))

/** Archiving comes last: until then a repeated import sees that the task was not finished. */
function movesOf(board: Board, planned: PlannedTask, { id }: Task): Move[] {
  const column = columnFor(board, cut(plainLine(planned.column ?? ''), 200))
  const status = planned.done ? 'done' : (column?.status ?? 'todo')
  const columnId = column?.status === status ? column.id : undefined
  const move = { op: 'move' as const, id, status, board: board.id, columnId }
  const archiving = { op: 'archive' as const, id }
  return (planned.archived ? [move, archiving] : [move]).map((operation) => ({ source: planned.source, operation }))
}

/** The column of this name, or the one of a new board that fits it. */
function columnFor({ columns }: Board, name: string): Column | undefined {
  const plain = name.toLowerCase()
  const status = STANDING.find(([, names]) => names.includes(plain))?.[0]
  return (
    columns.find((column) => column.name.toLowerCase() === plain) ?? columns.find((column) => column.status === status)
  )
}
