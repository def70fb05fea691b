import { Conflict, Forbidden, Invalid, TimedOut, Unreachable } from '@stowboard/client'
import { expect, test } from 'vitest'

import { forPeople, mayPass, memberOf, reasonOf } from './errors'

test('people are told what is wrong, not which operation of the API helps', () => {
  const said = (message: string) => forPeople('some_code', message)
  expect(said('No class has this name; GET /media/transform-classes lists them.')).toBe('No class has this name.')
  expect(said('The address has expired. Ask for a new one: POST /media/upload/presigned.')).toBe(
    'The address has expired.',
  )
  expect(said('title: expected 1 to 500 characters.')).toBe('Title: expected 1 to 500 characters.')
  expect(said('Call POST /taskapp/task-index/backfill.')).toBe('The server refused this.')
  expect(said('dueAt is required.')).toBe('Due date is required.')
  expect(said('ast_01m7p0mqbw8748bkdn84xgk7e9 would have 51 tags; an asset has at most 50.')).toBe(
    'This one would have 51 tags; an asset has at most 50.',
  )
  expect(said('You are a viewer in the space spc_01m7p0mqbw8748bkdn84xgk7e9.')).toBe('You are a viewer in this space.')
  expect(said('Changed since: columnId, dueAt, rank. Undo the later changes first, or change it by hand.')).toBe(
    'Changed since: place, due date. Undo the later changes first, or change it by hand.',
  )
  expect(said('The earlier encryptedBody is not kept. Change it by hand.')).toBe(
    'The earlier sealed text is not kept. Change it by hand.',
  )
  expect(said('data has no bytes; expected base64 of at least one byte.')).toBe('File has no bytes.')
  expect(said('The file is larger than 20000000 bytes.')).toBe('The file is larger than 20 MB.')
  expect(said('The disk is full. Its folder is /var/lib/stowboard.')).toBe('The disk is full.')
  expect(forPeople('step_up_required', 'Confirm that it is you: POST /session/step-up, or sign in again.')).toBe(
    'Confirm that it is you, and try again.',
  )
})

test('an error of the client says what is wrong, at which field, and whether trying again can help', () => {
  const refused = new Invalid(400, 'validation_failed', 'dueAt: expected a time.')
  expect([reasonOf(refused), memberOf(refused), mayPass(refused)]).toEqual([
    'Due date: expected a time.',
    'dueAt',
    false,
  ])
  expect(reasonOf(new TimedOut('GET https://stow.test/api/v1/media was not answered in time.'))).not.toContain('GET')
  const later = [new Unreachable('Gone.'), new Conflict(409, 'conflict', 'Changed.')]
  expect(later.map((error) => [memberOf(error), mayPass(error)])).toEqual([
    [null, true],
    [null, true],
  ])
  expect(mayPass(new Forbidden(403, 'insufficient_scope', 'No.'))).toBe(false)
})
