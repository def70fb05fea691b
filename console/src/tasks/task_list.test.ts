import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { Task } from '../api/tasks'
import { dismiss, toasts } from '../shell/toasts.svelte'
import { TaskList } from './task_list.svelte'

type Operation = { op: string; id: string; [member: string]: unknown }
let tasks: Map<string, Task>
let batches: Operation[][]
/** Ids whose operations the server refuses. */
let refused: Set<string>

/** As long as a busy machine takes. */
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 30_000 })
const shown = (list: TaskList) => list.items.map((task) => [task.id, task.status])

function made(count: number): Task[] {
  return Array.from({ length: count }, (_, number) => ({
    id: `t${number}`,
    title: `Task ${number}`,
    status: 'todo',
    tags: [],
    archived: false,
    trashedAt: null,
    dueAt: null,
    recurrence: null,
    placement: null,
    version: 1,
    spaceId: '~alice',
  })) as unknown as Task[]
}

function done({ op, id, ...patch }: Operation) {
  if (refused.has(id)) return { status: 409, task: null, error: { code: 'conflict', message: 'It was changed.' } }
  const before = tasks.get(id)!
  const task = {
    ...before,
    ...patch,
    ...(op === 'complete' && { status: 'done' }),
    version: before.version + 1,
  } as Task
  tasks.set(id, task)
  return { status: 200, task, error: null }
}

beforeEach(() => {
  tasks = new Map(made(250).map((task) => [task.id, task]))
  batches = []
  refused = new Set()
  vi.stubGlobal('fetch', (address: string, request: RequestInit) => {
    if (address === '/session/token') return Promise.resolve(Response.json({ access_token: 'stow_x', expires_in: 600 }))
    if (!address.endsWith('/batch'))
      return Promise.resolve(Response.json({ data: [...tasks.values()], meta: { nextCursor: null, hasMore: false } }))
    const { operations } = JSON.parse(request.body as string) as { operations: Operation[] }
    batches.push(operations)
    return Promise.resolve(Response.json({ data: operations.map(done), meta: { done: 0, refused: [] } }))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  for (const toast of [...toasts]) dismiss(toast.id)
})

async function loaded(): Promise<TaskList> {
  const list = new TaskList('all', [{}])
  await until(() => expect(list.starting).toBe(false))
  return list
}

test('250 tasks are changed by three requests, and shown as changed before the first is answered', async () => {
  const list = await loaded()
  const change = list.complete(list.items)
  expect(list.items.every((task) => task.status === 'done')).toBe(true)
  await change
  expect(batches.map((operations) => operations.length)).toEqual([100, 100, 50])
  expect(toasts.at(-1)?.text).toBe('250 tasks completed')
})

test('what is refused is put back and named, what was done stays', async () => {
  const list = await loaded()
  refused.add('t1')
  await list.complete(list.items.slice(0, 3))
  expect(shown(list).slice(0, 3)).toEqual([
    ['t0', 'done'],
    ['t1', 'todo'],
    ['t2', 'done'],
  ])
  expect(toasts.at(-1)?.text).toBe('1 task not completed: It was changed.')
  refused.clear()
  toasts.at(-1)!.action!.run()
  await until(() => expect(shown(list)[1]).toEqual(['t1', 'done']))
  await until(() => expect(batches.at(-1)!.map(({ id }) => id)).toEqual(['t1']))
})

test('an answer that was overtaken by a newer one is left out', async () => {
  const list = await loaded()
  const [first] = list.items
  list.put({ ...first!, title: 'Newer', version: 3 })
  list.put({ ...first!, title: 'Older', version: 2 })
  expect(list.find('t0')?.title).toBe('Newer')
})

test('what no longer belongs to the view leaves it', async () => {
  const list = await loaded()
  await list.archive(list.items.slice(0, 1))
  expect(list.find('t0')).toBeNull()
  expect(list.items).toHaveLength(249)
})
