/**
 * One way to undo, whatever was changed and wherever: by the history that the server keeps. An undo is a change too, so
 * redo is the undo of it.
 */
import { type ChangedThing, did, putBack, takeActsOn, takeLastAct } from '../api/acts'
import { type Change, wordsOf } from '../api/changes'
import { api, stow } from '../api/client'
import { me, queries } from '../api/queries'
import { lastRetry, say, sayFailed, type Toast } from './toasts.svelte'
import { many } from './words'

type Taken = Pick<Change, 'id' | 'subject' | 'kind' | 'changed'>
const MOST_LOOKED = 500

/** The action "Undo" of a message about a change of these things. */
export const undoable = (ids: string[]): NonNullable<Toast['action']> => ({
  name: 'Undo',
  run: () => void undoOn(ids),
})

/** Try again what failed just now, or else undo the last change of this browser. */
export function undoOrRetry(): void {
  const retry = lastRetry()
  if (retry) retry()
  else void undoLast()
}

/** Undo the newest act of this browser. */
async function undoLast(): Promise<void> {
  const act = takeLastAct()
  if (act) await undoAct(act, undoLast)
  else say('Nothing was changed in this browser that could be undone.')
}

/** Undo the newest change of each of these things. */
const undoOn = (ids: string[]): Promise<void> => undoAct(takeActsOn(ids), () => say('It is undone already.'))

async function undoAct(act: ChangedThing[], otherwise: () => void): Promise<void> {
  try {
    const changes = (await changesOf(act)).filter(({ undoneBy }) => undoneBy === null)
    if (changes.length > 0) await takeBack(changes)
    else otherwise()
  } catch (error) {
    did(act)
    sayFailed('Not undone', error, () => undoLast())
  }
}

/** Take these changes back. With the word "Redone" they are undos, so what was undone is there again. */
export async function takeBack(changes: Taken[], word: 'Undone' | 'Redone' = 'Undone'): Promise<void> {
  const made: Taken[] = []
  const left: Taken[] = []
  let said = ''
  let reason: unknown
  for (const change of changes) {
    try {
      const path = { change_id: change.id }
      const { data, meta } = await api('post', '/changes/{change_id}/undo', { path })
      const thing = data as unknown as { title?: string; filename?: string; trashedAt: number | null }
      made.push({ ...change, id: meta.changeId })
      const wasTrashed = (thing.trashedAt === null) === (word === 'Undone') ? null : 1
      said = `${wordsOf(change, wasTrashed)} ${changes.length > 1 ? many(made.length, 'item') : (thing.filename ?? thing.title)}`
    } catch (error) {
      reason = error
      left.push(change)
    }
  }
  const ids = made.map(({ subject }) => subject)
  for (const id of ids) for (const kind of ['task', 'entry']) void queries.invalidateQueries({ queryKey: [kind, id] })
  if (word === 'Undone') putBack(ids)
  else did(made.map(({ id, subject }) => ({ id: subject, changeId: id })))
  if (ids.length > 0) {
    const redo = { name: 'Redo', run: () => void takeBack(made.toReversed(), 'Redone') }
    say(`${word}: ${said}`, word === 'Undone' ? redo : undoable(ids))
  }
  if (left.length > 0) sayFailed(word === 'Undone' ? 'Not undone' : 'Not redone', reason, () => takeBack(left, word))
}

/** The changes that an act has made, newest first. */
async function changesOf(act: ChangedThing[]): Promise<Change[]> {
  const { username: person } = (await queries.ensureQueryData(me())).account
  const found = new Map<string, Change>()
  let looked = 0
  for await (const change of stow.list('/changes', { person, limit: 100 })) {
    const thing = act.find(({ id }) => id === change.subject)
    if (thing && !found.has(thing.id) && isOf(change, thing)) found.set(thing.id, change)
    if (found.size === act.length || ++looked === MOST_LOOKED) break
  }
  if (found.size === 0) throw new Error('Nothing is kept of it any more.')
  return [...found.values()]
}

function isOf(change: Change, { version, changeId }: ChangedThing): boolean {
  if (changeId) return change.id === changeId
  if (version !== undefined) return change.version === version
  // For a thing without such versions: the newest change that the person made by hand.
  return change.undoneBy === null && change.undoes === null && change.actor?.applicationId === null
}
