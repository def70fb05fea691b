/** What people do with one task together: items of its checklist, comments, following; and the people of its space. */
import type { Member } from '@stowboard/client'

import { did } from './acts'
import { api, stow } from './client'
import type { Schemas } from './queries'
import type { Task } from './tasks'

export type Item = Task['checklist'][number]
export type Comment = Schemas['CommentView']
export type { Member }

const ITEMS = '/taskapp/tasks/{task_id}/checklist'

export const addItem = async (id: string, body: Schemas['ItemBody']): Promise<Item> =>
  (await api('post', ITEMS, { ...itemAt(id), body })).data

export const changeItem = async (id: string, itemId: string, body: Schemas['ItemPatchBody']): Promise<Item> =>
  (await api('patch', `${ITEMS}/{item_id}`, { ...itemAt(id, itemId), body })).data

export const removeItem = (id: string, itemId: string) => api('delete', `${ITEMS}/{item_id}`, itemAt(id, itemId))

/** The header says which version of the task the change made. With the version the change can be undone. */
function itemAt(id: string, itemId = '') {
  const onHeaders = (headers: Headers) => did([{ id, version: Number(headers.get('etag')?.replaceAll('"', '')) }])
  return { path: { task_id: id, item_id: itemId }, onHeaders }
}

/** The people of a shared space. */
export const membersOf = (spaceId: string) => ({
  queryKey: ['members', spaceId],
  queryFn: () => stow.spaces.members(spaceId),
})

export const nameOf = ({ displayName, username }: Member): string => displayName || username

export const listComments = (id: string, cursor?: string) =>
  api('get', '/taskapp/tasks/{task_id}/comments', { path: { task_id: id }, query: { limit: 50, cursor } })

/** With the same key, a retry makes no second comment. */
export const addComment = (id: string, body: string, key: string) =>
  api('post', '/taskapp/tasks/{task_id}/comments', { path: { task_id: id }, idempotencyKey: key, body: { body } })

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
