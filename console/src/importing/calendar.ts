/** The to-dos of an iCalendar file. They come to a board of the file's name; events are left out. */
import { fromWallClock } from '../shell/person_time.svelte'
import { many } from '../shell/words'
import { cut, isZone, numberOf, paragraphs, type Plan, planned, type PlannedTask, textOf } from './plan'

interface Property {
  parameters: string
  value: string
}
type Properties = Map<string, Property>

/** `zone` is that of times that name none. */
export function readCalendar(text: string, name: string, zone: string): Plan {
  const lines = text.replace(/\r?\n[ \t]/g, '').split(/\r\n|\n|\r/)
  const tasks = todosIn(lines).map((properties) => taskOf(properties, zone))
  const events = lines.filter((line) => line.trim().toUpperCase() === 'BEGIN:VEVENT').length
  const left = events ? [`Not taken over: ${many(events, 'event')}.`] : []
  return { boards: tasks.length ? [{ source: `ics:${name}`, name, columns: [], tasks }] : [], left }
}

/** The properties of each to-do, without those of the alarms in it. */
function todosIn(lines: string[]): Properties[] {
  const found: Properties[] = []
  const inside: string[] = []
  let properties: Properties = new Map()
  for (const line of lines) {
    const [, head = '', value = ''] = /^([^:]*):?(.*)$/s.exec(line) ?? []
    const [, name = '', parameters = ''] = /^([^;]*);?(.*)$/s.exec(head) ?? []
    const word = name.trim().toUpperCase()
    if (word === 'BEGIN') {
      inside.push(value.trim().toUpperCase())
      if (inside.at(-1) === 'VTODO') properties = new Map()
    } else if (word === 'END') {
      if (inside.pop() === 'VTODO') found.push(properties)
    } else if (inside.at(-1) === 'VTODO') properties.set(word, { parameters, value })
  }
  return found
}

function taskOf(properties: Properties, zone: string): PlannedTask {
  const raw = (name: string) => properties.get(name)?.value ?? ''
  const text = (name: string) => raw(name).replace(/\\(.)/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign))
  const due = properties.get('DUE')
  const priority = numberOf(text('PRIORITY')) // 1 is the most urgent, 9 the least, 0 none
  const status = text('STATUS').toUpperCase()
  return planned(cut(`ics:${textOf(properties.get('UID')?.value)}`, 255), text('SUMMARY'), {
    body: paragraphs(text('DESCRIPTION'), text('LOCATION'), text('URL')),
    done: status === 'COMPLETED' || properties.has('COMPLETED'),
    archived: status === 'CANCELLED',
    dueAt: momentOf(due, zone),
    dueOn: due ? (/^(\d{4})(\d\d)(\d\d)$/.exec(due.value.trim())?.slice(1).join('-') ?? null) : null,
    startAt: momentOf(properties.get('DTSTART'), zone),
    recurrence: text('RRULE') || null,
    zone: due ? zoneOf(due, zone) : null,
    priority: priority === 0 ? 0 : priority < 5 ? 3 : priority === 5 ? 2 : 1,
    tags: raw('CATEGORIES')
      .split(/(?<!\\),/)
      .filter(Boolean),
  })
}

function zoneOf({ parameters }: Property, zone: string): string {
  const named = /TZID="?([^";:]+)/i.exec(parameters)?.[1]
  return named && isZone(named) ? named : zone
}

/** A day without a time ends at 23:59. */
function momentOf(found: Property | undefined, zone: string): number | null {
  if (!found) return null
  const parts = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(found.value.trim())
  if (!parts) throw new TypeError('no date')
  const [, year, month, day, hour = 23, minute = 59, second = 0, isUtc] = parts
  const shown = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
  return isUtc ? shown : fromWallClock(shown, zoneOf(found, zone))
}
