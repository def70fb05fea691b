/** Figures and times as people read them. */
import { formatTime, LOCALE } from './person_time.svelte'

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' })
const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

export function bytes(count: number): string {
  let unit = 0
  for (; count >= 1000 && unit < UNITS.length - 1; unit += 1) count /= 1000
  return `${count < 10 && unit > 0 ? count.toFixed(1) : Math.round(count)} ${UNITS[unit]}`
}

export function clock(seconds: number): string {
  const whole = Math.round(seconds)
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  if (parts[0] === 0) parts.shift()
  return parts.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}

export function dateTime(ms: number): string {
  return formatTime(ms, { dateStyle: 'medium', timeStyle: 'short' })
}

/** "3 Mar 2026". */
export function day(ms: number): string {
  return formatTime(ms, { dateStyle: 'medium' })
}

/** "14:05", or "2:05 PM". */
export function clockTime(ms: number): string {
  return formatTime(ms, { timeStyle: 'short' })
}

/** "3 minutes ago", "in 7 days"; after a week the date. */
export function ago(ms: number, now = Date.now()): string {
  const past = ms - now
  if (Math.abs(past) > 7 * 86_400_000) return day(ms)
  const step = STEPS.find(([, size]) => Math.abs(past) >= size)
  // Ages are whole; of a time to come a second that has passed already makes no day less.
  const round = past < 0 ? Math.trunc : Math.round
  return step ? relative.format(round(past / step[1]), step[0]) : 'just now'
}

export function many(count: number, one: string, more = `${one}s`): string {
  return `${count.toLocaleString(LOCALE)} ${count === 1 ? one : more}`
}

/** Two letters for a person: of "ann.berg" AB, of "bob" BO. */
export function initials(username: string): string {
  const [first = '', second] = username.split(/[._-]/)
  return (second ? first.charAt(0) + second.charAt(0) : first.slice(0, 2)).toUpperCase()
}

/** The parts of a text between commas. */
export function listIn(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}
