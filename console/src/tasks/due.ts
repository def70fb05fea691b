/** Dates of tasks as people read and write them, in their own calendar. */
import type { Task } from '../api/tasks'

export interface Due {
  text: string
  tone: '' | 'warn' | 'danger'
}

// To make one costs more than to paint a card.
const DAY = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' })
const TIME = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })

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
  return DAY.format(ms)
}

/** The first moment of a day of the person's calendar. */
export function startOfDay(ms: number, plus = 0): number {
  const date = new Date(ms)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + plus).getTime()
}

/** When what is due on a day without a time is due. */
export function endOfDay(ms: number, plus = 0): number {
  return startOfDay(ms, plus + 1) - 60_000
}

export interface Group {
  name: string
  tasks: Task[]
}

/** By the day they are due; what is late comes first, what has no date last. */
export function byDay(tasks: Task[], now = Date.now()): Group[] {
  const groups = new Map<string, Task[]>()
  const sorted = [...tasks].sort((a, b) => (a.dueAt ?? Infinity) - (b.dueAt ?? Infinity))
  for (const task of sorted) {
    const name = dayName(task.dueAt, now)
    groups.set(name, [...(groups.get(name) ?? []), task])
  }
  return [...groups].map(([name, found]) => ({ name, tasks: found }))
}

/** A time as `<input type="datetime-local">` takes it. */
export function toField(ms: number | null): string {
  if (ms === null) return ''
  const date = new Date(ms)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`
}

export function fromField(text: string): number | null {
  const ms = text ? new Date(text).getTime() : NaN
  return Number.isNaN(ms) ? null : ms
}

function dayName(dueAt: number | null, now: number): string {
  if (dueAt === null) return 'No date'
  const distance = daysBetween(now, dueAt)
  if (distance < 0) return 'Overdue'
  return distance === 0 ? 'Today' : distance === 1 ? 'Tomorrow' : day(dueAt)
}

function daysBetween(from: number, to: number): number {
  return Math.round((startOfDay(to) - startOfDay(from)) / 86_400_000)
}

function isWholeDay(ms: number): boolean {
  return ms === startOfDay(ms) || ms === endOfDay(ms)
}

function time(ms: number): string {
  if (isWholeDay(ms)) return ''
  return ` ${TIME.format(ms)}`
}
