/** Notifications in words, and where each leads. */
import { api } from '../api/client'
import type { Schemas } from '../api/queries'
import { spaces } from '../api/spaces.svelte'

export type Told = Schemas['NotificationView']
export type Kind = Schemas['NotificationKind']

/** The words behind the actor's name, by kind. */
const SAID: Record<Kind, string> = {
  assigned: '{} assigned a task to you',
  mentioned: '{} mentioned you',
  commented: '{} commented',
  completed: '{} completed a task',
  reminder: 'Reminder',
  shared: '{} shared a space with you',
  files_arrived: '{} sent files',
  failed: 'Something failed',
  token_made: 'An admin made a token for you',
}
const PAGES: Record<string, string> = {
  tsk: '/tasks/{}',
  ast: '/media/{}',
  vid: '/media/{}',
  spc: '/spaces/{}',
  tok: '/settings/tokens',
  whk: '/settings/webhooks?webhook={}',
}

export const unreadCount = () => ({
  queryKey: ['unread'],
  queryFn: async () => (await api('get', '/notifications', { query: { limit: 1 } })).meta.unread,
  // A tab that slept may have missed the event.
  refetchOnWindowFocus: true,
})

export const saidOf = (told: Told): string => SAID[told.kind].replace('{}', told.actor ?? 'Somebody')

/** True while a space waits for the person's yes. */
export const asks = (told: Told): boolean =>
  told.kind === 'shared' && told.spaceId !== told.subject && told.title !== null && !spaces.find(told.subject)

/** The address of the thing that it is about; null if that is gone, or waits for a yes. */
export function pageOf(told: Told): string | null {
  const prefix = told.subject.split('_', 1)[0]!
  if (asks(told)) return null
  if (told.title === null && !['tok', 'whk'].includes(prefix)) return null
  if (told.kind === 'files_arrived') return '/media'
  const page = (PAGES[prefix] ?? '/').replace('{}', told.subject)
  return told.commentId ? `${page}?comment=${told.commentId}` : page
}
