/** The trash: tasks, assets and videos are put there, come back, or go for good. */
import { did } from './acts'
import { api, stow } from './client'
import { assetEntry, chunksOf, type Entry, isVideoId, videoEntry } from './media'
import type { Task } from './tasks'

export interface TrashedThing {
  id: string
  name: string
  spaceId: string
  trashedAt: number
}

interface TrashPage {
  data: TrashedThing[]
  meta: object
}

const isTaskId = (id: string): boolean => id.startsWith('tsk_')
const isMediaId = (id: string): boolean => !isTaskId(id)

export async function putInTrash(ids: string[]): Promise<void> {
  for (const some of chunksOf(ids.filter(isMediaId)))
    await api('post', '/media/assets/batch-trash', { body: { ids: some } })
  const tasks = []
  for (const id of ids.filter(isTaskId))
    tasks.push((await api('post', '/taskapp/tasks/{task_id}/trash', { path: { task_id: id } })).data)
  noteAll(ids, tasks)
}

export async function takeOutOfTrash(ids: string[]): Promise<void> {
  for (const some of chunksOf(ids.filter(isMediaId)))
    await api('post', '/media/assets/batch-restore', { body: { ids: some } })
  const tasks = []
  for (const id of ids.filter(isTaskId)) tasks.push(await stow.tasks.restore(id))
  noteAll(ids, tasks)
}

function noteAll(ids: string[], tasks: Task[]): void {
  did([...ids.filter(isMediaId).map((id) => ({ id })), ...tasks])
}

export async function deleteForGood(id: string): Promise<void> {
  await (isTaskId(id) ? stow.tasks : isVideoId(id) ? stow.videos : stow.assets).delete(id)
}

/** A page of each kind, the latest first. */
export const TRASH_PAGES: [kind: string, (spaceId: string, cursor?: string) => Promise<TrashPage>][] = [
  [
    'Tasks',
    async (spaceId, cursor) => {
      const { data, meta } = await api('get', '/taskapp/tasks', { query: { trashed: 'only', spaceId, cursor } })
      return { data: data.map((task) => ({ ...task, name: task.title, trashedAt: task.trashedAt ?? 0 })), meta }
    },
  ],
  [
    'Pictures and files',
    async (spaceId, cursor) => {
      const { data, meta } = await api('get', '/media/assets', { query: { trashed: 'only', spaceId, cursor } })
      return { data: data.map((asset) => trashedEntry(assetEntry(asset))), meta }
    },
  ],
  [
    'Videos',
    async (spaceId, cursor) => {
      const { data, meta } = await api('get', '/media/videos', { query: { trashed: 'only', spaceId, cursor } })
      return { data: data.map((video) => trashedEntry(videoEntry(video))), meta }
    },
  ],
]

function trashedEntry(entry: Entry): TrashedThing {
  return { id: entry.id, name: entry.name, spaceId: entry.spaceId, trashedAt: entry.trashedAt ?? 0 }
}
