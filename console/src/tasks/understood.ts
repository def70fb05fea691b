/** Chips that show how the service understood a line of quick add. */
import type { Schemas } from '../api/queries'
import { clockOf, day, fromField } from './due'
import { REPEATS } from './repeat'

export type Parsed = Schemas['ParsedView']
type Span = Parsed['spans'][number]

export interface Chip {
  kind: Span['kind']
  text: string
}

/** Chips in the order of the line. Positions count characters; JavaScript's own positions count UTF-16 units. */
export function chipsOf(line: string, spans: Span[]): Chip[] {
  const characters = [...line]
  return spans.map((span) => ({ kind: span.kind, text: textOf(span, characters.slice(span.start, span.end).join('')) }))
}

function textOf({ kind, value }: Span, said: string): string {
  switch (kind) {
    case 'date':
      return day(fromField(value) ?? NaN)
    case 'moment':
      return moment(value)
    case 'reminder':
      return `Remind ${moment(value)}`
    case 'repeat':
      return REPEATS.find(([rule]) => rule === value)?.[1] ?? said
    case 'tag':
      return `#${value}`
    case 'time':
      return clockOf(fromField(`2000-01-01T${value}`) ?? NaN)
    default:
      return said
  }
}

function moment(value: string): string {
  const at = Date.parse(value)
  return `${day(at)} ${clockOf(at)}`
}
