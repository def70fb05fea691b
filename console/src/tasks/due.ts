/** Dates of tasks as people read and write them, in their own calendar. */
import type { Task } from '../api/tasks'
import { formatTime, fromWallClock, wallClock } from '../shell/person_time.svelte'

export interface Due {
  text: string
  tone: '' | 'warn' | 'danger'
}

const DAY_MS = 86_400_000
const DAY = { weekday: 'short', day: 'numeric', month: 'short' } as const
const TIME = { hour: 'numeric', minute: '2-digit' } as const

/** "Overdue, 12 Nov", "Today 9:00", "Tomorrow", "Mon 24 Nov". Late is said in words, not by colour alone. */
export function dueOf({ dueAt, dueOn, status }: Task, now = Date.now()): Due | null {
  const at = dueMoment({ dueAt, dueOn })
  if (at === null) return null
  const distance = daysBetween(now, at)
  const time = dueOn ? '' : ` ${clockOf(at)}`
  const late = status !== 'done' && (dueAt ?? at) < now
  if (late) return { text: `Overdue, ${distance === 0 ? 'today' : day(at)}${time}`, tone: 'danger' }
  if (distance === 0) return { text: `Today${time}`, tone: status === 'done' ? '' : 'warn' }
  if (distance === 1) return { text: `Tomorrow${time}`, tone: '' }
  return { text: day(at) + time, tone: '' }
}

/** The moment that stands for a due date: of a day its beginning, in the person's calendar. */
export function dueMoment({ dueAt, dueOn }: Pick<Task, 'dueAt' | 'dueOn'>): number | null {
  return dueOn ? fromField(dueOn) : dueAt
}

export function day(ms: number): string {
  return formatTime(ms, DAY)
}

export function clockOf(ms: number): string {
  return formatTime(ms, TIME)
}

/** The first moment of a day of the person's calendar. */
export function startOfDay(ms: number, plus = 0): number {
  return fromWallClock((dayNumber(ms) + plus) * DAY_MS)
}

/** A day in the form of `<input type="date">`. */
export function dateOf(ms: number, plus = 0): string {
  return new Date((dayNumber(ms) + plus) * DAY_MS).toISOString().slice(0, 10)
}

/** Days until the next week begins: on Monday, as for `next week` in the text of a new task. */
export function daysToNextWeek(now = Date.now()): number {
  return 7 - ((wallClock(now).getUTCDay() + 6) % 7)
}

/** A time such as "2026-11-20T09:00". */
export function toField(ms: number | null): string {
  return ms === null ? '' : wallClock(ms).toISOString().slice(0, 16)
}

/** The moment of such a text; of a day alone its beginning. */
export function fromField(text: string): number | null {
  const shown = Date.parse(text.includes('T') ? `${text}Z` : text)
  return Number.isNaN(shown) ? null : fromWallClock(shown)
}

export function dayName(task: Task, now = Date.now()): string {
  const at = dueMoment(task)
  if (at === null) return 'No date'
  const distance = daysBetween(now, at)
  if (distance < 0) return 'Overdue'
  return distance === 0 ? 'Today' : distance === 1 ? 'Tomorrow' : day(at)
}

function daysBetween(from: number, to: number): number {
  return dayNumber(to) - dayNumber(from)
}

function dayNumber(ms: number): number {
  return Math.floor(wallClock(ms).getTime() / DAY_MS)
}
