/** An attachment of an imported task: the server fetches it. One that an import has brought is known by its metadata. */
import { api } from '../api/client'
import type { Schemas } from '../api/queries'
import type { Task } from '../api/tasks'
import type { Outcome } from './ledger'
import { cut, plainLine, type PlannedFile } from './plan'
import { type ImportWishes, PATIENCE, refusedAlone } from './wishes'

const MARK = 'importedFrom'
const LONGEST_MARK = 255
const FETCHING_S = 60

/** `task` is null if nothing is to be made. */
export async function bringFile(
  { name, url }: PlannedFile,
  source: string,
  task: Task | null,
  { fetchFiles, isDry, signal }: ImportWishes,
): Promise<[Outcome, string?]> {
  if (!fetchFiles) return ['refused', 'Not fetched. Its address is in the text of the task.']
  if (!task) return ['made']
  const mark = [...source].slice(-LONGEST_MARK).join('')
  const { id, spaceId, attachments } = task
  try {
    const query = { metadata: `${MARK}:${mark}`, processingStatus: 'ready' as const, spaceId, limit: 1 }
    const known = (await api('get', '/media/assets', { query, signal })).data[0]?.id
    const outcome = known ? 'present' : 'made'
    if (isDry || attachments.some((each) => each.id === known)) return [outcome]
    const filename = cut(plainLine(name), 200) || undefined
    const body = { url, filename, spaceId, visibility: 'protected' as const, metadata: { [MARK]: mark } }
    const attached = known ?? (await fetched(body, `import ${id}${source.slice(source.lastIndexOf('@'))}`, signal))
    const ask = { path: { task_id: id }, body: { id: attached }, signal, ...PATIENCE }
    await api('post', '/taskapp/tasks/{task_id}/attachments', ask)
    return [outcome]
  } catch (error) {
    return ['refused', error instanceof NotFetched ? error.message : refusedAlone(error)]
  }
}

class NotFetched extends Error {}

/** The id of the fetched asset. Throws NotFetched. */
async function fetched(body: Schemas['FromUrlBody'], idempotencyKey: string, signal: AbortSignal): Promise<string> {
  let { data } = await api('post', '/media/upload/from-url', { body, idempotencyKey, signal, ...PATIENCE })
  const path = { asset_or_video_id: data.id }
  for (let waited = 0; data.status !== 'ready' && waited < FETCHING_S; waited += 1) {
    if (data.status === 'failed') throw new NotFetched(data.error?.message ?? 'It could not be fetched.')
    await new Promise((resolve) => setTimeout(resolve, 1000))
    data = (await api('get', '/media/upload/from-url/{asset_or_video_id}', { path, signal })).data
  }
  if (data.status !== 'ready') throw new NotFetched(`It was not fetched in ${FETCHING_S} seconds. Import again later.`)
  return data.id
}
