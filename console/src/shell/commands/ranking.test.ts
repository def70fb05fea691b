import { expect, test } from 'vitest'

import { rank } from './ranking'

const ALL = ['Delete', 'Download', 'Upload files', 'Make protected'].map((name) => ({ name, group: 'Media' }))
const names = (typed: string) => rank(ALL, typed).map(({ name }) => name)

test('a name that begins so comes before one that has it inside', () => {
  expect(names('d')[0]).toBe('Delete')
  expect(names('load')).toEqual(['Download', 'Upload files'])
})

test('letters in order are enough, others are not', () => {
  expect(names('mkpr')).toEqual(['Make protected'])
  expect(names('xyz')).toEqual([])
})
