import { describe, expect, it } from 'vitest'

import type { Task } from '../api/tasks'
import { setPersonZone } from '../shell/person_time.svelte'
import { dateOf, daysToNextWeek, dueMoment, dueOf, fromField, startOfDay, toField } from './due'
import { grouped } from './groups'

const now = new Date(2026, 10, 15, 12).getTime()
const task = (dueAt: number | null, status = 'todo', priority = 0) =>
  ({ id: String(dueAt), dueAt, dueOn: null, status, priority }) as Task
const onDay = (days: number, status = 'todo') =>
  ({ ...task(startOfDay(now, days + 1) - 1000, status), dueOn: dateOf(now, days) }) as Task

describe('when a task is due', () => {
  it('is said in words', () => {
    expect(dueOf(task(null), now)).toBeNull()
    expect(dueOf(onDay(1), now)).toEqual({ text: 'Tomorrow', tone: '' })
    expect(dueOf(task(startOfDay(now, 1)), now)!.text).toMatch(/^Tomorrow 12:00/)
    expect(dueOf(task(now + 3_600_000), now)!.text).toMatch(/^Today /)
    expect(dueOf(task(now - 1), now)).toMatchObject({ tone: 'danger', text: expect.stringMatching(/^Overdue, today/) })
  })

  it('is not late on its day where no time is meant', () => {
    expect(dueOf(onDay(0), now)).toEqual({ text: 'Today', tone: 'warn' })
    expect(dueOf(onDay(-1), now)!.tone).toBe('danger')
    expect(dueMoment(onDay(3))).toBe(startOfDay(now, 3))
  })

  it('is the same day to people in another zone', () => {
    const due = { ...task(Date.UTC(2026, 10, 20, 23, 59, 59)), dueOn: '2026-11-20' } as Task
    for (const zone of ['Pacific/Auckland', 'America/Los_Angeles']) {
      setPersonZone(zone)
      expect(dueOf(due, now)!.text).toMatch(/20/)
    }
    setPersonZone(null)
  })

  it('is never late once done', () => expect(dueOf(task(startOfDay(now, -3), 'done'), now)!.tone).toBe(''))

  it('is next week from the next Monday on, also on a Monday', () => {
    const days = [16, 17, 21, 22].map((day) => daysToNextWeek(new Date(2026, 10, day, 12).getTime()))
    expect(days).toEqual([7, 6, 2, 1])
  })

  it('groups by day, late first and without a date last', () => {
    const tasks = [task(null), onDay(1), task(startOfDay(now, -2)), task(now)]
    const groups = grouped(tasks, 'day', () => '', now)
    expect(groups.map((group) => group.name)).toEqual(['Overdue', 'Today', 'Tomorrow', 'No date'])
  })

  it('groups by person, and has what is nobody’s last', () => {
    const of = (...assignees: string[]) => ({ ...task(now), assignees }) as Task
    const groups = grouped([of(), of('bo'), of('ann', 'bo'), of('bo')], 'person', () => '', now)
    expect(groups.map(({ name, tasks }) => [name, tasks.length])).toEqual([
      ['ann, bo', 1],
      ['bo', 2],
      ['Nobody', 1],
    ])
  })

  it('groups by priority, and has the most urgent first in every group', () => {
    const tasks = [task(now), task(now + 1, 'todo', 3), task(now + 2, 'todo', 1)]
    const groups = grouped(tasks, 'priority', () => '', now)
    expect(groups.map((group) => group.name)).toEqual(['High priority', 'Low priority', 'No priority'])
    expect(grouped(tasks, 'board', () => 'Launch', now)[0]!.tasks.map(({ priority }) => priority)).toEqual([3, 1, 0])
  })

  it("is read, written and counted in the person's own zone, on days of 23 hours too", () => {
    setPersonZone('Europe/Berlin')
    const noon = Date.UTC(2026, 2, 29, 10) // the clock was put forward at night
    expect(toField(noon)).toBe('2026-03-29T12:00')
    expect(fromField('2026-03-29T12:00')).toBe(noon)
    expect(startOfDay(noon, 1) - startOfDay(noon)).toBe(23 * 3_600_000)
    setPersonZone('Pacific/Auckland')
    expect(startOfDay(noon)).toBe(Date.UTC(2026, 2, 28, 11))
    setPersonZone(null)
  })

  it('reads from a field what it wrote there', () => {
    expect(fromField(toField(now))).toBe(now)
    expect(fromField(dateOf(now))).toBe(startOfDay(now))
    expect(fromField('')).toBeNull()
    expect(toField(null)).toBe('')
  })
})
