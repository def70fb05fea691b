import { expect, test } from 'vitest'

import { overBudget } from '../first_load'

const BUDGET = { page: 200, screen: 200, screenFiles: 1 }
const chunk = (fileName: string, code: string, more = {}) => ({ type: 'chunk' as const, fileName, code, ...more })
const noise = (length: number) => Array.from({ length }, (_, at) => Math.sin(at)).join('')

test('a build that loads more than its budget is told what is too large', () => {
  const page = { 'a.js': chunk('a.js', 'a', { isEntry: true, imports: ['b.js'] }), 'b.js': chunk('b.js', 'b') }
  expect(overBudget(page, BUDGET)).toEqual([])
  const large = { ...page, 'b.js': chunk('b.js', noise(200)) }
  expect(overBudget(large, BUDGET)[0]).toMatch(/^The page loads \d+ bytes first; 200 are allowed\.$/)
})

test('what a screen adds to the page counts: its bytes, and its files', () => {
  const page = { 'a.js': chunk('a.js', 'a', { isEntry: true }) }
  const facadeModuleId = '/console/src/tasks/Tasks.svelte'
  const screen = (imports: string[]) => ({ ...page, 't.js': chunk('t.js', 't', { facadeModuleId, imports }) })
  expect(overBudget(screen(['a.js']), BUDGET)).toEqual([])
  const more = { ...screen(['a.js', 'c.js']), 'c.js': chunk('c.js', noise(200)) }
  expect(overBudget(more, BUDGET)).toEqual([
    expect.stringMatching(/^The screen Tasks adds \d+ bytes; 200 are allowed\.$/),
    'The screen Tasks adds 2 files; 1 are allowed: t.js, c.js.',
  ])
})
