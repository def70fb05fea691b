/** What people do with one task together: items of its checklist, comments, following; and the people of its space. */
import { did } from './acts'
import { addressOf, api, send } from './client'
import type { Schemas } from './queries'
import type { Task } from './tasks'

export type Item = Task['checklist'][number]
export type Comment = Schemas['CommentView']
export type Member = Schemas['MemberView']

export const addItem = (id: string, body: Schemas['ItemBody']) => changed<Item>(id, 'POST', '', body)

export const changeItem = (id: string, itemId: string, body: Schemas['ItemPatchBody']) =>
  changed<Item>(id, 'PATCH', itemId, body)

export const removeItem = (id: string, itemId: string) => changed(id, 'DELETE', itemId)

/** The header says which version of the task it made: by that it can be undone. */
async function changed<T>(id: string, method: string, itemId: string, body?: object): Promise<T> {
  const address = addressOf(`/taskapp/tasks/{task_id}/checklist${itemId && '/{item_id}'}`, {
    task_id: id,
    item_id: itemId,
  })
  const answer = await send(method, address, { body })
  did([{ id, version: Number(answer.headers.get('etag')?.replaceAll('"', '')) }])
  return ((await answer.json()) as { data: T }).data
}

/** The people of a shared space. */
export const membersOf = (spaceId: string) => ({
  queryKey: ['members', spaceId],
  queryFn: async (): Promise<Member[]> => {
    const found: Member[] = []
    for (let cursor: string | undefined; ;) {
      const path = { space_id: spaceId }
      const { data, meta } = await api('get', '/spaces/{space_id}/members', { path, query: { limit: 100, cursor } })
      found.push(...data)
      cursor = meta.nextCursor ?? undefined
      if (!cursor) return found
    }
  },
})

export const nameOf = ({ displayName, username }: Member): string => displayName || username

export const listComments = (id: string, cursor?: string) =>
  api('get', '/taskapp/tasks/{task_id}/comments', { path: { task_id: id }, query: { limit: 50, cursor } })

/** With the same key a retry makes no second one. */
export const addComment = (id: string, body: string, key: string) =>
  api('post', '/taskapp/tasks/{task_id}/comments', { path: { task_id: id }, key, body: { body } })

export const editComment = (id: string, commentId: string, body: string) =>
  api('patch', '/taskapp/tasks/{task_id}/comments/{comment_id}', { ...commentAt(id, commentId), body: { body } })

export const deleteComment = (id: string, commentId: string) =>
  api('delete', '/taskapp/tasks/{task_id}/comments/{comment_id}', commentAt(id, commentId))

function commentAt(id: string, commentId: string): { path: { task_id: string; comment_id: string } } {
  return { path: { task_id: id, comment_id: commentId } }
}

export const following = (id: string) => ({
  queryKey: ['following', id],
  queryFn: async () => (await api('get', '/taskapp/tasks/{task_id}/follow', { path: { task_id: id } })).data.following,
})

export const setFollowing = (id: string, on: boolean) =>
  api(on ? 'post' : 'delete', '/taskapp/tasks/{task_id}/follow', { path: { task_id: id } })
