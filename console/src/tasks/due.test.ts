import { describe, expect, it } from 'vitest'

import type { Task } from '../api/tasks'
import { byDay, dueOf, endOfDay, fromField, startOfDay, toField } from './due'

const now = new Date(2026, 10, 15, 12).getTime()
const task = (dueAt: number | null, status = 'todo') => ({ id: String(dueAt), dueAt, status }) as Task

describe('when a task is due', () => {
  it('is said in words', () => {
    expect(dueOf(task(null), now)).toBeNull()
    expect(dueOf(task(startOfDay(now, 1)), now)).toEqual({ text: 'Tomorrow', tone: '' })
    expect(dueOf(task(now + 3_600_000), now)!.text).toMatch(/^Today /)
    expect(dueOf(task(now - 1), now)).toMatchObject({ tone: 'danger', text: expect.stringMatching(/^Overdue, today/) })
  })

  it('is not late on its day where no time is meant', () => {
    expect(dueOf(task(startOfDay(now)), now)).toEqual({ text: 'Today', tone: 'warn' })
    expect(dueOf(task(endOfDay(now)), now)).toEqual({ text: 'Today', tone: 'warn' })
    expect(dueOf(task(endOfDay(now, -1)), now)!.tone).toBe('danger')
  })

  it('is never late once done', () => expect(dueOf(task(startOfDay(now, -3), 'done'), now)!.tone).toBe(''))

  it('groups by day, late first and without a date last', () => {
    const groups = byDay([task(null), task(startOfDay(now, 1)), task(startOfDay(now, -2)), task(now)], now)
    expect(groups.map((group) => group.name)).toEqual(['Overdue', 'Today', 'Tomorrow', 'No date'])
  })

  it('reads from a field what it wrote there', () => {
    expect(fromField(toField(now))).toBe(now)
    expect(fromField('')).toBeNull()
    expect(toField(null)).toBe('')
  })
})
