/** Where cards are: which column, which order, and what a move means. No network, no screen. */
import type { Board, Column, Destination, Task } from '../api/tasks'

export interface Spot {
  columnId: string
  /** The place among the cards of the column, without the moved card. */
  index: number
}
export type Direction = 'up' | 'down' | 'left' | 'right'
/** The cards of each column, in their order. */
export type Lanes = ReadonlyMap<string, Task[]>

/** Cards that follow each other in a column. If all of a stack is out of sight, the browser skips it. */
export interface Stack {
  key: number
  tasks: Task[]
}

/** Ranks are compared by their characters, not by the rules of a language. */
export function lanesOf(columns: Column[], tasks: Task[]): Lanes {
  const lanes = new Map<string, Task[]>(columns.map((column) => [column.id, []]))
  for (const task of tasks) lanes.get(task.placement?.columnId ?? '')?.push(task)
  for (const lane of lanes.values()) lane.sort((a, b) => (rankOf(a) < rankOf(b) ? -1 : rankOf(a) > rankOf(b) ? 1 : 0))
  return lanes
}

/** The lanes, with a card where its rank puts it. Lanes that it neither leaves nor enters stay the same objects. */
export function withCard(lanes: Lanes, task: Task): Lanes {
  const columnId = task.placement?.columnId ?? ''
  return changed(withoutCard(lanes, task.id), columnId, (lane) => {
    const at = lane.findIndex((each) => rankOf(each) >= rankOf(task))
    return lane.toSpliced(at < 0 ? lane.length : at, 0, task)
  })
}

export function withoutCard(lanes: Lanes, id: string): Lanes {
  return changed(lanes, spotOf(lanes, id)?.columnId, (lane) => lane.filter((task) => task.id !== id))
}

/** The lanes, with only the cards that have this text in their title or tags. */
export function lanesWith(lanes: Lanes, text: string): Lanes {
  const has = (task: Task) => `${task.title} ${task.tags.join(' ')}`.toLowerCase().includes(text)
  return new Map([...lanes].map(([id, lane]) => [id, lane.filter(has)]))
}

let stacksMade = 0

/**
 * The cards of a column in stacks of about a size. Each stack begins where it began before, so that a card that comes
 * or goes changes only one of them. A stack in which nothing changed stays the same object.
 */
export function stacksOf(lane: Task[], size: number, before: Stack[]): Stack[] {
  const parts: Task[][] = [[]]
  for (const task of lane) {
    while (before[parts.length] && rankOf(task) >= rankOf(before[parts.length]!.tasks[0]!)) parts.push([])
    parts.at(-1)!.push(task)
  }
  return parts.flatMap((tasks, index) => {
    const known = before[index]
    if (known && tasks.length === known.tasks.length && tasks.every((task, at) => task === known.tasks[at]))
      return known
    const step = tasks.length > 2 * size ? size : tasks.length
    const stacks: Stack[] = []
    for (let at = 0; at < tasks.length; at += step)
      stacks.push({ key: (at === 0 && known?.key) || ++stacksMade, tasks: tasks.slice(at, at + step) })
    return stacks
  })
}

export function spotOf(lanes: Lanes, id: string): Spot | null {
  for (const [columnId, lane] of lanes) {
    const index = lane.findIndex((task) => task.id === id)
    if (index >= 0) return { columnId, index }
  }
  return null
}

/** One step from where a card is; null at the edge of the board. */
export function nextSpot(columns: Column[], lanes: Lanes, from: Spot, direction: Direction): Spot | null {
  const lane = lanes.get(from.columnId) ?? []
  if (direction === 'up') return from.index > 0 ? { ...from, index: from.index - 1 } : null
  if (direction === 'down') return from.index < lane.length - 1 ? { ...from, index: from.index + 1 } : null
  const at = columns.findIndex((column) => column.id === from.columnId)
  const column = columns[at + (direction === 'left' ? -1 : 1)]
  if (!column) return null
  return { columnId: column.id, index: Math.min(from.index, lanes.get(column.id)?.length ?? 0) }
}

/** Turns a place among the shown cards into a place among all: right behind the card above it. */
export function spotAmongAll(all: Lanes, shown: Lanes, id: string, { columnId, index }: Spot): Spot {
  const others = (lanes: Lanes) => (lanes.get(columnId) ?? []).filter((task) => task.id !== id)
  const [above, below] = [others(shown)[index - 1], others(shown)[index]]
  const lane = others(all)
  return { columnId, index: above ? lane.indexOf(above) + 1 : below ? lane.indexOf(below) : 0 }
}

/** The card as it will be, and the request to the server. */
export function moved(board: Board, lanes: Lanes, task: Task, to: Spot): { task: Task; body: Destination } | null {
  const column = board.columns.find((each) => each.id === to.columnId)
  if (!column) return null
  const others = (lanes.get(column.id) ?? []).filter((each) => each.id !== task.id)
  const above = others[to.index - 1]
  const below = others[to.index]
  const beside = above ? { afterTaskId: above.id } : below ? { beforeTaskId: below.id } : {}
  const rank = justAfter(above ? rankOf(above) : '')
  return {
    task: { ...task, status: column.status, placement: { boardId: board.id, columnId: column.id, rank } },
    body: { status: column.status, board: board.id, columnId: column.id, ...beside },
  }
}

/** The least text that comes after another. No rank fits between the two, until the server tells the true one. */
function justAfter(rank: string): string {
  return `${rank}\u0000`
}

function changed(lanes: Lanes, columnId: string | undefined, change: (lane: Task[]) => Task[]): Lanes {
  return new Map([...lanes].map(([id, lane]) => [id, id === columnId ? change(lane) : lane]))
}

function rankOf(task: Task): string {
  return task.placement?.rank ?? ''
}
