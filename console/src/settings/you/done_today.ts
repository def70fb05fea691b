/** The changes that applications and agents made today in the name of the person, by application. */
import { type Change } from '../../api/changes'
import { api, stow } from '../../api/client'
import { getEntries } from '../../api/media'
import { me, queries, type Schemas } from '../../api/queries'
import { getTask } from '../../api/tasks'

/** A sign-in of an application, or a token, as an undo of many names it. */
type Source = { applicationId: string } | { tokenId: string }

export interface ActiveApplication {
  name: string
  sources: Source[]
  /** The changes that it made, newest first, without those that took others back. */
  changes: Change[]
}

export interface TakenBack {
  undone: number
  refused: Schemas['UndoRefusal'][]
}

const MOST = 2000

/** The changes that are looked through at once; `more` says that there were earlier ones. */
export async function listActive(since: number): Promise<{ active: ActiveApplication[]; more: boolean }> {
  const [{ account }, applications, tokens] = await Promise.all([
    queries.ensureQueryData(me()),
    api('get', '/access/me/applications', { query: { limit: 100 } }),
    api('get', '/access/me/tokens', { query: { limit: 100 } }),
  ])
  const names = new Map(tokens.data.map(({ id, name }) => [id, name || id]))
  for (const { name, grantIds } of applications.data) for (const id of grantIds) names.set(id, name)
  const found = new Map<string, ActiveApplication>()
  const changes = await stow.list('/changes', { person: account.username, since, limit: 100 }).all({ max: MOST + 1 })
  for (const change of changes.slice(0, MOST)) add(found, names, change)
  return { active: [...found.values()], more: changes.length > MOST }
}

function add(found: Map<string, ActiveApplication>, names: Map<string, string>, change: Change): void {
  const { actor, undoes } = change
  if (!actor || undoes !== null) return
  const { applicationId, tokenId, door } = actor
  const id = applicationId ?? tokenId
  // A token that is in no list, and not used by an agent, is the console's own.
  if (!applicationId && door !== '/mcp' && !names.has(tokenId)) return
  const name = names.get(id) ?? 'An application that is no longer connected'
  const active = found.get(name) ?? { name, sources: [], changes: [] }
  found.set(name, active)
  if (!active.changes.some(({ actor }) => (actor?.applicationId ?? actor?.tokenId) === id))
    active.sources.push(applicationId ? { applicationId } : { tokenId })
  active.changes.push(change)
}

/** All that it did since then, newest first, without changes of members that somebody changed later. */
export async function takeAllBack({ sources }: ActiveApplication, since: number): Promise<TakenBack> {
  const all: TakenBack = { undone: 0, refused: [] }
  for (const source of sources) {
    let before: string | null = null
    do {
      const body: Schemas['UndoBody'] = { ...source, since, before }
      const { data, meta } = await api('post', '/changes/undo', { body })
      all.undone += data.undone
      all.refused.push(...data.refused)
      before = meta.more ? meta.before : null
    } while (before !== null)
  }
  return all
}

/** Names by ids. A thing that is gone has none. */
export async function namesOf(ids: string[]): Promise<Map<string, string>> {
  const tasks = ids.filter((id) => id.startsWith('tsk_'))
  const [found, entries] = await Promise.all([
    Promise.all(tasks.map((id) => getTask(id).catch(() => null))),
    getEntries(ids.filter((id) => !id.startsWith('tsk_'))),
  ])
  const named = found.filter((task) => task !== null).map(({ id, title }): [string, string] => [id, title])
  return new Map([...named, ...entries.map(({ id, name }): [string, string] => [id, name])])
}
