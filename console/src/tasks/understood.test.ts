import { expect, test } from 'vitest'

import { chipsOf } from './understood'

test('a chip says what was understood, not what was typed', () => {
  const chips = chipsOf('Renew fri 9am #ops every month', [
    { start: 6, end: 9, kind: 'date', value: '2026-11-20' },
    { start: 10, end: 13, kind: 'time', value: '09:00' },
    { start: 14, end: 18, kind: 'tag', value: 'ops' },
    { start: 19, end: 30, kind: 'repeat', value: 'FREQ=MONTHLY' },
  ])
  expect(chips.map((chip) => chip.kind)).toEqual(['date', 'time', 'tag', 'repeat'])
  expect(chips[0]?.text).toContain('20')
  expect(chips[1]?.text).toContain('9')
  expect(chips.slice(2).map((chip) => chip.text)).toEqual(['#ops', 'Every month'])
})

test('a rule without a name is told in the words of the line, whatever stands before them', () => {
  const [chip] = chipsOf('👩‍👩‍👧 bins every other fri', [
    { start: 11, end: 26, kind: 'repeat', value: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=FR' },
  ])
  expect(chip?.text).toBe('every other fri')
})
