/** Where cards are: which column, which order, and what a move means. No network, no screen. */
import type { Board, Column, Destination, Task } from '../api/tasks'

export interface Spot {
  columnId: string
  /** Among the cards of the column, as if the moved one were not there. */
  index: number
}
export type Direction = 'up' | 'down' | 'left' | 'right'

/** The cards of each column in their order. Ranks are compared as they are written, not as a language would. */
export function lanesOf(columns: Column[], tasks: Task[]): Map<string, Task[]> {
  const lanes = new Map<string, Task[]>(columns.map((column) => [column.id, []]))
  for (const task of tasks) lanes.get(task.placement?.columnId ?? '')?.push(task)
  for (const lane of lanes.values()) lane.sort((a, b) => (rankOf(a) < rankOf(b) ? -1 : rankOf(a) > rankOf(b) ? 1 : 0))
  return lanes
}

export function spotOf(lanes: Map<string, Task[]>, id: string): Spot | null {
  for (const [columnId, lane] of lanes) {
    const index = lane.findIndex((task) => task.id === id)
    if (index >= 0) return { columnId, index }
  }
  return null
}

/** One step from where a card is; null at the edge of the board. */
export function nextSpot(columns: Column[], lanes: Map<string, Task[]>, from: Spot, direction: Direction): Spot | null {
  const lane = lanes.get(from.columnId) ?? []
  if (direction === 'up') return from.index > 0 ? { ...from, index: from.index - 1 } : null
  if (direction === 'down') return from.index < lane.length - 1 ? { ...from, index: from.index + 1 } : null
  const at = columns.findIndex((column) => column.id === from.columnId)
  const column = columns[at + (direction === 'left' ? -1 : 1)]
  if (!column) return null
  return { columnId: column.id, index: Math.min(from.index, lanes.get(column.id)?.length ?? 0) }
}

/** The card as it will be, and what to ask of the server for it. */
export function moved(
  board: Board,
  lanes: Map<string, Task[]>,
  task: Task,
  to: Spot,
): { task: Task; body: Destination } | null {
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

/** The least text that comes after another: until the server says the true rank, nothing can be between the two. */
function justAfter(rank: string): string {
  return `${rank}\u0000`
}

function rankOf(task: Task): string {
  return task.placement?.rank ?? ''
}
