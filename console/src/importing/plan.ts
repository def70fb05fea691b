/** The plan of an import from any program: boards, their columns, and the tasks on them. `stow import` has the same. */

export interface PlannedComment {
  /** The name that its author has in the program that it comes from. */
  author: string
  body: string
  at: number | null
}
export interface PlannedFile {
  name: string
  url: string
}
const NOTHING = {
  body: '',
  done: false,
  archived: false,
  dueAt: null as number | null,
  /** The day, such as 2035-12-24, if the date has no time; `dueAt` is then late on that day. */
  dueOn: null as string | null,
  startAt: null as number | null,
  /** A rule of RFC 5545. */
  recurrence: null as string | null,
  fromCompletion: false,
  /** A date in words, which the server reads; and the same without its repetition, in case that is not understood. */
  dueText: '',
  dueOnce: '',
  /** The time zone of the date, if the file names one. */
  zone: null as string | null,
  priority: 0,
  tags: [] as string[],
  column: null as string | null,
  checklist: [] as [title: string, done: boolean][],
  /** Oldest first. */
  comments: [] as PlannedComment[],
  /** Names that its assignees have in the program that it comes from. */
  people: [] as string[],
  files: [] as PlannedFile[],
}
/** `source` is its id in the program that it comes from; a repeated import finds the task by it. */
export type PlannedTask = { source: string; title: string } & typeof NOTHING
export interface PlannedBoard {
  source: string
  name: string
  columns: string[]
  tasks: PlannedTask[]
}
export interface Plan {
  boards: PlannedBoard[]
  /** Sentences about what is not imported. */
  left: string[]
}

export const planned = (source: string, title: string, more: Partial<PlannedTask>): PlannedTask => ({
  ...NOTHING,
  source,
  title,
  ...more,
})

/** The sentence says why a file is not imported, and what to do. */
export class FileRefused extends Error {}

/** The most characters that are read one by one; more would hold up the page. */
export const MOST_TEXT = 8_000_000
export const tooLong = (): FileRefused =>
  new FileRefused('This file has too much text for the console: use stow import.')

/** A part of a file that another program wrote. Whatever is not as expected throws, and the file is refused. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Foreign = any

/** A text or a number as text. */
export function textOf(value: Foreign): string {
  if (typeof value !== 'string' && typeof value !== 'number') throw new TypeError('no text')
  return String(value)
}

export function numberOf(value: Foreign): number {
  if (Number.isNaN(Number(value ?? 0))) throw new TypeError('no number')
  return Number(value ?? 0)
}

/** A date of ISO 8601 with its time. */
export function instantOf(value: Foreign): number | null {
  const instant = value ? Date.parse(textOf(value).replace(/(\.\d{3})\d+/, '$1')) : null
  if (Number.isNaN(instant)) throw new TypeError('no date')
  return instant
}

const zones = new Map<string, boolean>()

export function isZone(name: string): boolean {
  const known = zones.get(name)
  if (known !== undefined) return known
  try {
    zones.set(name, /^[A-Z]/i.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name })))
  } catch {
    zones.set(name, false)
  }
  return isZone(name)
}

export const paragraphs = (...parts: string[]): string => parts.filter(Boolean).join('\n\n')
export const linksTo = (files: PlannedFile[]): string[] => files.map(({ name, url }) => `[${name}](${url})`)

/** Control characters, marks that change the order of text, and halves of characters. */
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu
const SPACES = /[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+/g

/** One line without characters that titles and names may not have. */
export const plainLine = (text: string): string => text.replace(UNPRINTABLE, ' ').replace(SPACES, ' ').trim()

/** The first characters, as the server counts them. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : [...text].slice(0, most).join('')
