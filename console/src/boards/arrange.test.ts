import { describe, expect, it } from 'vitest'

import type { Board, Column, Task } from '../api/tasks'
import { lanesOf, moved, nextSpot, spotOf } from './arrange'

const columns = [
  { id: 'a', boardId: 'b', name: 'To do', status: 'todo' },
  { id: 'z', boardId: 'b', name: 'Done', status: 'done' },
] as Column[]
const board = { id: 'b', columns } as Board
const card = (id: string, columnId: string, rank: string) =>
  ({ id, status: 'todo', placement: { boardId: 'b', columnId, rank } }) as Task
const tasks = [card('2', 'a', 'b'), card('1', 'a', 'Z'), card('3', 'a', 'c'), card('4', 'z', 'a')]
const lanes = lanesOf(columns, tasks)
const ids = (columnId: string, all = lanes) => all.get(columnId)!.map((task) => task.id)

describe('cards of a board', () => {
  it('are in the order of their ranks as bytes', () => expect(ids('a')).toEqual(['1', '2', '3']))

  it('move one step, and not over the edge', () => {
    const at = spotOf(lanes, '1')!
    expect(nextSpot(columns, lanes, at, 'up')).toBeNull()
    expect(nextSpot(columns, lanes, at, 'left')).toBeNull()
    expect(nextSpot(columns, lanes, at, 'down')).toEqual({ columnId: 'a', index: 1 })
    expect(nextSpot(columns, lanes, spotOf(lanes, '3')!, 'right')).toEqual({ columnId: 'z', index: 1 })
  })

  it.each([0, 1, 2])('are shown where they will be: place %i', (index) => {
    const { task, body } = moved(board, lanes, tasks[0]!, { columnId: 'a', index })!
    const after = lanesOf(
      columns,
      tasks.map((each) => (each.id === task.id ? task : each)),
    )
    expect(ids('a', after).indexOf('2')).toBe(index)
    expect(body).toMatchObject(index === 0 ? { beforeTaskId: '1' } : { afterTaskId: ids('a', after)[index - 1] })
  })

  it('take the status of their column', () => {
    const { task, body } = moved(board, lanes, tasks[0]!, { columnId: 'z', index: 1 })!
    expect([task.status, body.status, body.afterTaskId]).toEqual(['done', 'done', '4'])
  })
})
