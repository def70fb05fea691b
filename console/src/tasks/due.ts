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
export function dueOf({ dueAt, status }: Task, now = Date.now()): Due | null {
  if (dueAt === null) return null
  const distance = daysBetween(now, dueAt)
  const late = status !== 'done' && (isWholeDay(dueAt) ? distance < 0 : dueAt < now)
  if (late) return { text: `Overdue, ${distance === 0 ? 'today' : day(dueAt)}${time(dueAt)}`, tone: 'danger' }
  if (distance === 0) return { text: `Today${time(dueAt)}`, tone: status === 'done' ? '' : 'warn' }
  if (distance === 1) return { text: `Tomorrow${time(dueAt)}`, tone: '' }
  return { text: day(dueAt) + time(dueAt), tone: '' }
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

/** The time of a task that is due on a day without a time. */
export function endOfDay(ms: number, plus = 0): number {
  return startOfDay(ms, plus + 1) - 1000
}

/** Days until the next week begins: on Monday, as for `next week` in the text of a new task. */
export function daysToNextWeek(now = Date.now()): number {
  return 7 - ((wallClock(now).getUTCDay() + 6) % 7)
}

/** A time in the form of `<input type="datetime-local">`. */
export function toField(ms: number | null): string {
  return ms === null ? '' : wallClock(ms).toISOString().slice(0, 16)
}

export function fromField(text: string): number | null {
  const shown = text ? Date.parse(`${text}Z`) : NaN
  return Number.isNaN(shown) ? null : fromWallClock(shown)
}

/** The same time of the clock on another day. */
export function atTimeOf(time: number, day: number): number {
  return fromWallClock(dayNumber(day) * DAY_MS + (wallClock(time).getTime() % DAY_MS))
}

export function dayName(dueAt: number | null, now = Date.now()): string {
  if (dueAt === null) return 'No date'
  const distance = daysBetween(now, dueAt)
  if (distance < 0) return 'Overdue'
  return distance === 0 ? 'Today' : distance === 1 ? 'Tomorrow' : day(dueAt)
}

function daysBetween(from: number, to: number): number {
  return dayNumber(to) - dayNumber(from)
}

function dayNumber(ms: number): number {
  return Math.floor(wallClock(ms).getTime() / DAY_MS)
}

function isWholeDay(ms: number): boolean {
  return ms === startOfDay(ms) || ms === endOfDay(ms)
}

function time(ms: number): string {
  if (isWholeDay(ms)) return ''
  return ` ${clockOf(ms)}`
}
