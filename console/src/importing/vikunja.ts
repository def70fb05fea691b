/** Vikunja's user data export: projects become boards, buckets columns, task lists in a description checklists. */
import { many } from '../shell/words'
import { type Foreign, instantOf, MOST_TEXT, numberOf, type Plan, planned, tooLong } from './plan'
import { type PlannedBoard, type PlannedTask, textOf } from './plan'

const MONTHLY = 1
const FROM_COMPLETION = 2
const DAY_S = 86_400
const BLOCKS = ['p', 'li', 'ul', 'ol', 'div', 'br', 'h1', 'h2', 'h3', 'pre', 'blockquote']
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

export function readVikunja(content: Foreign): Plan {
  const projects: Foreign[] = content.flatMap(withChildren)
  const tasks: Foreign[] = projects.flatMap((project) => project.tasks ?? [])
  const files = tasks.reduce((sum, task) => sum + (task.attachments?.length ?? 0), 0)
  const texts = tasks.flatMap((task) => [task.description, ...(task.comments ?? []).map((one: Foreign) => one.comment)])
  if (texts.reduce((sum, text) => sum + (text?.length ?? 0), 0) > MOST_TEXT) throw tooLong()
  return { boards: projects.map(boardOf), left: files ? [`Not taken over: ${many(files, 'attachment')}.`] : [] }
}

const withChildren = (one: Foreign): Foreign[] => [one, ...(one.child_projects ?? []).flatMap(withChildren)]

function boardOf(project: Foreign): PlannedBoard {
  const buckets = new Map<Foreign, string>((project.buckets ?? []).map((one: Foreign) => [one.id, textOf(one.title)]))
  const placed = new Map((project.task_buckets ?? []).map((one: Foreign) => [one.task_id, one.bucket_id]))
  const tasks = (project.tasks ?? []).map((task: Foreign) =>
    taskOf(task, buckets.get(placed.get(task.id) ?? task.bucket_id) ?? null),
  )
  const columns = [...new Set(buckets.values())]
  return { source: `vikunja:${textOf(project.id)}`, name: textOf(project.title), columns, tasks }
}

function taskOf(task: Foreign, column: string | null): PlannedTask {
  const { body, items } = readHtml(task.description)
  const days = Math.floor(numberOf(task.repeat_after) / DAY_S)
  return planned(`vikunja:${textOf(task.id)}`, textOf(task.title), {
    body,
    done: Boolean(task.done),
    dueAt: dateOf(task.due_date),
    startAt: dateOf(task.start_date),
    recurrence: task.repeat_mode === MONTHLY ? 'FREQ=MONTHLY' : days >= 1 ? `FREQ=DAILY;INTERVAL=${days}` : null,
    fromCompletion: task.repeat_mode === FROM_COMPLETION,
    priority: Math.max(0, Math.min(3, numberOf(task.priority) - 1)), // from 1 (low) to 5 there
    tags: (task.labels ?? []).map((label: Foreign) => textOf(label.title)),
    column,
    checklist: items,
    comments: (task.comments ?? []).map(({ comment, created, author }: Foreign) => {
      const text = readHtml(comment)
      const lines = [text.body, ...text.items.map(([title]) => title)].filter(Boolean)
      return { author: textOf(author?.username || 'somebody'), body: lines.join('\n') || '-', at: dateOf(created) }
    }),
    people: (task.assignees ?? []).map((one: Foreign) => textOf(one.username)),
  })
}

/** The year 1 stands for no date. */
const dateOf = (text: Foreign): number | null => (String(text).startsWith('0001-') ? null : instantOf(text))

/** A text of the editor as plain lines, and the items of its task lists. Older exports have plain text already. */
function readHtml(html: Foreign): { body: string; items: [string, boolean][] } {
  const lines = ['']
  const items: [string, boolean][] = []
  let item: [string, boolean] | null = null
  for (const [whole, inside = ''] of textOf(html ?? '').matchAll(/<([^<>]*)>|(?:[^<]+|<(?![^<>]*>))+/g)) {
    const [, end, name = ''] = /^(\/?)([a-z][a-z0-9]*)/i.exec(inside) ?? []
    const tag = name.toLowerCase()
    const checked = tag === 'li' && /\bdata-checked\s*=\s*["']?(\w+)/i.exec(inside)?.[1]
    if (!tag) {
      const text = whole.replace(/&(#x[0-9a-f]{1,4}|#\d{1,5}|\w{1,8});/gi, decoded)
      if (item) item[0] += ` ${text}`
      else if (lines.at(-1) || text.trim()) lines.push(lines.pop() + text)
    } else if (end) item = tag === 'li' ? null : item
    else if (checked) items.push((item = ['', checked === 'true']))
    else if (BLOCKS.includes(tag) && lines.at(-1)) lines.push('')
  }
  const body = lines.map((line) => line.trim()).join('\n')
  return { body: body.trim(), items: items.map(([title, isDone]) => [title.trim(), isDone]) }
}

function decoded(whole: string, name: string): string {
  if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole
  return String.fromCodePoint(/x/i.test(name) ? parseInt(name.slice(2), 16) : Number(name.slice(1)))
}
