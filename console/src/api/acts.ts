/**
 * The last changes of this browser, the newest at the end: `z` undoes one after the other. They are kept with
 * everything that the browser remembers of the person. So a reload loses none, and every tab has them.
 */
import { keepOfPerson, keptOfPerson } from './browser_store'

export interface ChangedThing {
  id: string
  /** The version that the change made, if the thing gets a version with each change. */
  version?: number
  /** The id of the change, if it is known. */
  changeId?: string
}

const KEPT = 'acts'
const MOST = 50
const putBacks = new Map<string, () => void>()

/** Note what one act has changed. */
export function did(things: ChangedThing[]): void {
  const acts = read()
  const known = new Set(acts.flat().map(keyOf))
  const fresh = things
    .filter((thing) => thing.version === undefined || !known.has(keyOf(thing)))
    .map(({ id, version, changeId }) => ({ id, version, changeId }))
  if (fresh.length > 0) write([...acts, fresh])
}

/** Take the newest act from the list. */
export function takeLastAct(): ChangedThing[] | null {
  const acts = read()
  const last = acts.pop() ?? null
  write(acts)
  return last
}

/** Take the newest changes of these from the list. */
export function takeActsOn(ids: string[]): ChangedThing[] {
  const acts = read()
  const taken = ids.flatMap((id) => acts.flat().findLast((thing) => thing.id === id) ?? [])
  const keys = new Set(taken.map(keyOf))
  write(acts.map((act) => act.filter((thing) => !keys.has(keyOf(thing)))).filter((act) => act.length > 0))
  return taken
}

/** Puts them back into a list that they were taken out of, in their places. */
export function whenUndone(ids: string[], putBack: () => void): void {
  putBacks.set(ids.toSorted().join(), putBack)
}

export function putBack(ids: string[]): void {
  const key = ids.toSorted().join()
  putBacks.get(key)?.()
  putBacks.delete(key)
}

const keyOf = ({ id, version, changeId }: ChangedThing): string => `${id} ${version ?? ''} ${changeId ?? ''}`

function read(): ChangedThing[][] {
  return JSON.parse(keptOfPerson(KEPT) ?? '[]') as ChangedThing[][]
}

function write(acts: ChangedThing[][]): void {
  keepOfPerson(KEPT, JSON.stringify(acts.slice(-MOST)))
}
