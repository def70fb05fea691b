import { expect, test } from 'vitest'

import { forPeople } from './errors'

test('people are told what is wrong, not which operation of the API helps', () => {
  const said = (message: string) => forPeople('some_code', message)
  expect(said('No class has this name; GET /media/transform-classes lists them.')).toBe('No class has this name.')
  expect(said('The address has expired. Ask for a new one: POST /media/upload/presigned.')).toBe(
    'The address has expired.',
  )
  expect(said('title: expected 1 to 500 characters.')).toBe('title: expected 1 to 500 characters.')
  expect(said('Call POST /taskapp/task-index/backfill.')).toBe('The server refused this.')
  expect(forPeople('step_up_required', 'Confirm that it is you: POST /session/step-up, or sign in again.')).toBe(
    'Confirm that it is you, and try again.',
  )
})
