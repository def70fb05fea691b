/**
 * A project of Todoist as it is exported to CSV. A row is a task, a section, a comment on the task above it, or a
 * setting of the view. Tasks have no ids, so we make an id of project, text, and how often the text was there before.
 * Labels are words of the text, `@home`; INDENT is the depth of a subtask. A file is a JSON object within a comment.
 */
import { many } from '../shell/words'
import { cut, type Foreign, isZone, linksTo, numberOf, paragraphs, plainLine, type Plan, planned } from './plan'
import { FileRefused, type PlannedTask, textOf } from './plan'

/** The names of files in a backup. */
const WITH_ID = /^(.+) \[(\w+)\]$/
/** Characters of the names of project and task in the id of a task; an id has 255. */
const PROJECT = 100
const START = 120
const MOST_ROWS = 50_000

export function readTodoist(text: string, project: string): Plan {
  const [, name = project, source = project] = WITH_ID.exec(project) ?? []
  const found: { task: PlannedTask; depth: number; isDescribed: boolean }[] = []
  const columns: string[] = []
  const times = new Map<string, number>()
  /** The last title at each depth. */
  const above = new Map<number, string>()
  const [names = [], ...rows] = rowsOf(text)
  const places = new Map(names.map((name, at) => [name, at]))
  for (const row of rows) {
    const cell = (name: string) => row[places.get(name) ?? -1] ?? ''
    const content = cell('CONTENT')
    const kind = cell('TYPE').toLowerCase()
    const last = found.at(-1)?.task
    if (kind === 'section') columns.push(content)
    if (kind === 'note' && last) {
      const [begin, end] = [content.indexOf('[[file {'), content.lastIndexOf('}]]')]
      const hasFile = begin >= 0 && end > begin
      const file: Foreign = hasFile ? JSON.parse(content.slice(begin + '[[file '.length, end + 1)) : {}
      if (file.file_url) last.files.push({ name: textOf(file.file_name || 'file'), url: textOf(file.file_url) })
      const body = (hasFile ? content.slice(0, begin) + content.slice(end + '}]]'.length) : content).trim()
      if (body) last.comments.push({ author: personOf(cell('AUTHOR')) || 'somebody', body, at: null })
    }
    if (kind !== 'task') continue
    const start = cut(plainLine(content), START)
    times.set(start, (times.get(start) ?? 0) + 1)
    const words = content.split(/\s+/).filter(Boolean)
    const isLabel = (word: string) => word.startsWith('@') && word.length > 1
    const title = words.filter((word) => !isLabel(word)).join(' ') || content
    const depth = numberOf(cell('INDENT') || 1)
    const whole = above.get(depth - 1)
    for (const each of above.keys()) if (each >= depth) above.delete(each)
    above.set(depth, title)
    const task = planned(`todoist:csv:${cut(plainLine(source), PROJECT)}:${start}:${times.get(start)}`, title, {
      body: paragraphs(cell('DESCRIPTION'), whole === undefined ? '' : `Part of: ${whole}`),
      people: [personOf(cell('RESPONSIBLE'))].filter(Boolean),
      dueText: cell('DATE'),
      zone: isZone(cell('TIMEZONE')) ? cell('TIMEZONE') : null,
      column: columns.at(-1) ?? null,
      tags: words.filter(isLabel).map((word) => word.slice(1)),
      priority: Math.max(0, 4 - numberOf(cell('PRIORITY') || 4)), // 1 is the most urgent here
      checklist: [],
      comments: [],
      files: [],
    })
    found.push({ task, depth: whole === undefined ? 1 : depth, isDescribed: cell('DESCRIPTION') !== '' })
  }
  const tasks: PlannedTask[] = []
  let subtasks = 0
  let whole: PlannedTask | null = null
  for (const [at, { task, depth, isDescribed }] of found.entries()) {
    const isBare = ![task.files, task.comments, task.tags, task.people].flat().length && !task.dueText && !isDescribed
    task.body = paragraphs(task.body, ...linksTo(task.files))
    // A subtask that has nothing but its text is an item of its task's checklist.
    if (depth === 2 && whole && isBare && (found[at + 1]?.depth ?? 0) <= 2) whole.checklist.push([task.title, false])
    else {
      tasks.push(task)
      if (depth === 1) whole = task
      else subtasks += 1
    }
  }
  const left = subtasks ? [`Made tasks, whose bodies say what they are part of: ${many(subtasks, 'subtask')}.`] : []
  return { boards: [{ source: `todoist:${source}`, name, columns, tasks }], left }
}

/** `Ann (17)` is Ann. */
const personOf = (text: string): string =>
  cut(text, 300)
    .replace(/\s*\(\d+\)$/, '')
    .trim()

/** A cell in quotes may have commas and line ends, and quotes that are doubled. */
function rowsOf(text: string): string[][] {
  const rows: string[][] = []
  let cells: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"([^"]*(?:""[^"]*)*)"?)?([^,\r\n]*)(,|\r?\n|\r|$)/g)) {
    cells.push((quoted ?? '').replaceAll('""', '"') + plain)
    if (end === ',') continue
    if (cells.length > 1 || cells[0]) rows.push(cells)
    if (rows.length > MOST_ROWS) throw new FileRefused(`The console takes ${many(MOST_ROWS, 'row')}: use stow import.`)
    cells = []
  }
  return rows
}
