import { describe, expect, it } from 'vitest'

import type { Board, Column, Task } from '../api/tasks'
import { lanesOf, moved, nextSpot, type Stack, spotAmongAll, spotOf, stacksOf, withCard, withoutCard } from './arrange'

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
    const after = withCard(lanes, task)
    expect(after.get('z')).toBe(lanes.get('z'))
    expect(ids('a', after).indexOf('2')).toBe(index)
    expect(body).toMatchObject(index === 0 ? { beforeTaskId: '1' } : { afterTaskId: ids('a', after)[index - 1] })
  })

  it('have a place among all, if some are hidden', () => {
    const shown = new Map([['a', [tasks[1]!, tasks[2]!]]]) // 1 and 3 of 1, 2, 3
    const indexOf = (id: string, index: number, among = shown) =>
      spotAmongAll(lanes, among, id, { columnId: 'a', index }).index
    expect([0, 1, 2].map((index) => indexOf('4', index))).toEqual([0, 1, 3])
    expect(indexOf('1', 1)).toBe(2)
    expect(indexOf('4', 0, new Map())).toBe(0)
  })

  it('take the status of their column', () => {
    const { task, body } = moved(board, lanes, tasks[0]!, { columnId: 'z', index: 1 })!
    expect([task.status, body.status, body.afterTaskId]).toEqual(['done', 'done', '4'])
  })
})

describe('stacks of a column', () => {
  const lane = Array.from({ length: 50 }, (_, number) => card(`${number}`, 'a', `${100 + number}`))
  const all: ReturnType<typeof lanesOf> = new Map([['a', lane]])
  const before = stacksOf(lane, 10, [])
  const same = (after: Stack[]) => after.filter((stack) => before.includes(stack)).length
  const shown = (stacks: Stack[]) => stacks.flatMap((stack) => stack.tasks)

  it('have all cards in their order', () => {
    expect(before.map((stack) => stack.tasks.length)).toEqual([10, 10, 10, 10, 10])
    expect(shown(before)).toEqual(lane)
  })

  it('change where a card comes or goes, and nowhere else', () => {
    for (const after of [
      withoutCard(all, '20'),
      withCard(all, card('new', 'a', '1145')),
      withCard(all, card('0', 'a', '150')),
    ]) {
      const stacks = stacksOf(after.get('a')!, 10, before)
      expect(shown(stacks)).toEqual(after.get('a'))
      expect(stacks.map((stack) => stack.key)).toEqual(before.map((stack) => stack.key))
      expect(same(stacks)).toBeGreaterThanOrEqual(3)
    }
  })

  it('are cut when they grow, and go when they are empty', () => {
    const many = [...lane, ...Array.from({ length: 15 }, (_, number) => card(`x${number}`, 'a', `9${100 + number}`))]
    const grown = stacksOf(many, 10, before)
    expect(grown.map((stack) => stack.tasks.length)).toEqual([10, 10, 10, 10, 10, 10, 5])
    expect([shown(grown), same(grown)]).toEqual([many, 4])
    expect(new Set(grown.map((stack) => stack.key)).size).toBe(7)
    const fewer = stacksOf(lane.slice(12), 10, before)
    expect([shown(fewer), same(fewer)]).toEqual([lane.slice(12), 3])
    expect(shown(stacksOf(lane, 10, fewer))).toEqual(lane)
    expect(stacksOf([], 10, before)).toEqual([])
  })
})
