/** The plan in a file of another program. Its content says which; its size, and what it unpacks to, is bounded. */
import { bytes, many } from '../shell/words'
import { readCalendar } from './calendar'
import { FileRefused, type Foreign, MOST_TEXT, type Plan, tooLong } from './plan'
import { readTodoist } from './todoist'
import { readTrello } from './trello'
import { unzip } from './unzip'
import { readVikunja } from './vikunja'

const MOST_BYTES = 32_000_000
const MOST_TASKS = 10_000
const MOST_BOARDS = 500

/** Throws FileRefused. `zone` is that of times that name none. */
export async function readFile(file: File, zone: string): Promise<Plan> {
  if (file.size > MOST_BYTES)
    throw new FileRefused(`The console takes files up to ${bytes(MOST_BYTES)}: use stow import.`)
  let plan: Plan
  try {
    const content = new Uint8Array(await file.arrayBuffer())
    const isZip = content[0] === 0x50 && content[1] === 0x4b
    const text = new TextDecoder().decode(isZip ? await unzip(content, 'data.json', MOST_BYTES) : content)
    plan = readText(text, file.name.replace(/(?<=.)\.[^.]*$/, ''), zone)
  } catch (error) {
    if (error instanceof FileRefused) throw error
    throw new FileRefused('This file is damaged, or somebody changed it. Export it again.')
  }
  const tasks = plan.boards.reduce((sum, board) => sum + board.tasks.length, 0)
  if (tasks <= MOST_TASKS && plan.boards.length <= MOST_BOARDS) return plan
  const found = `${many(tasks, 'task')} on ${many(plan.boards.length, 'board')}`
  const most = `${many(MOST_TASKS, 'task')} on ${many(MOST_BOARDS, 'board')}`
  throw new FileRefused(`This file has ${found}. The console takes ${most}: use stow import.`)
}

function readText(text: string, name: string, zone: string): Plan {
  if (/^\s*[[{]/.test(text)) {
    const content: Foreign = JSON.parse(text)
    if (Array.isArray(content)) return readVikunja(content)
    if (content.lists && content.cards) return readTrello(content)
    if (content.projects && content.items)
      throw new FileRefused('This is an answer of the API of Todoist: use stow import, or export the project as CSV.')
  } else if (text.length > MOST_TEXT) throw tooLong()
  if (/^\s*BEGIN:VCALENDAR/i.test(text)) return readCalendar(text, name, zone)
  if (/^[^\r\n]*\bTYPE\b[^\r\n]*\bCONTENT\b/.test(text.slice(0, 1000))) return readTodoist(text, name)
  throw new FileRefused('This file is not known. Choose one that Trello, Todoist, Vikunja or a calendar has exported.')
}
