import { expect, test } from 'vitest'

import { Selection } from './selection.svelte'

const ORDER = ['a', 'b', 'c', 'd', 'e']

test('Shift takes everything from the last one touched, in either direction', () => {
  const selection = new Selection(() => ORDER)
  selection.toggle('d')
  selection.extend('b')
  expect([...selection.ids].sort()).toEqual(['b', 'c', 'd'])
  selection.extend('e')
  expect(selection.size).toBe(4)
})

test('a range from what is no longer shown is just the one', () => {
  let order = ORDER
  const selection = new Selection(() => order)
  selection.toggle('a')
  order = ['c', 'd']
  selection.extend('d')
  expect([...selection.ids].sort()).toEqual(['a', 'd'])
})

test('what is deleted is no longer selected', () => {
  const selection = new Selection(() => ORDER)
  selection.all()
  selection.drop(['a', 'b'])
  expect(selection.size).toBe(3)
})
