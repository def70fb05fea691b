import { describe, expect, it } from 'vitest'

import type { Task } from '../api/tasks'
import { startOfDay } from './due'
import { belongs, queriesOf, VIEWS, viewOf } from './views'

const now = new Date(2026, 10, 15, 12).getTime()
const task = (given: Partial<Task>) =>
  ({ archived: false, trashedAt: null, status: 'todo', dueAt: null, assignees: [], ...given }) as Task
const viewsOf = (given: Partial<Task>) =>
  VIEWS.map(([view]) => view).filter((view) => belongs(task(given), view, 'ann', now))

describe('views of tasks', () => {
  it('have what is late and due today together', () => {
    expect(viewsOf({ dueAt: startOfDay(now, -9) })).toEqual(['today', 'all'])
    expect(viewsOf({ dueAt: startOfDay(now, 1) - 1 })).toEqual(['today', 'all'])
    expect(viewsOf({ dueAt: startOfDay(now, 1) })).toEqual(['upcoming', 'all'])
  })

  it('leave what is done, and what has no date, to "all"', () => {
    expect(viewsOf({ dueAt: now, status: 'done' })).toEqual(['all'])
    expect(viewsOf({})).toEqual(['all'])
    expect(viewsOf({ archived: true, dueAt: now })).toEqual(['archive'])
  })

  it('have what is assigned to the person, wherever it is', () => {
    expect(viewsOf({ assignees: ['bob', 'ann'] })).toEqual(['mine', 'all'])
    expect(viewsOf({ assignees: ['bob'] })).toEqual(['all'])
    expect(viewsOf({ assignees: ['ann'], status: 'done' })).toEqual(['all'])
    expect(queriesOf('mine', '', '', 'own', now)).toEqual([
      { spaceId: 'all', assignee: 'me', status: 'todo' },
      { spaceId: 'all', assignee: 'me', status: 'in_progress' },
    ])
  })

  it('ask for what belongs to them', () => {
    expect(queriesOf('today', 'x', '', 'all', now)).toEqual([
      { spaceId: 'all', q: 'x', dueBefore: startOfDay(now, 1), status: 'todo' },
      { spaceId: 'all', q: 'x', dueBefore: startOfDay(now, 1), status: 'in_progress' },
    ])
    expect(queriesOf('archive', '', 'ops', 'own', now)).toEqual([{ spaceId: 'own', tags: 'ops', archived: 'only' }])
    expect(viewOf('nonsense')).toBe('today')
  })
})
