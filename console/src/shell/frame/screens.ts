/** Every screen, by its address. A screen is loaded when it is first needed; addresses of one screen share its loader. */
import type { Component } from 'svelte'

import { match } from '../router.svelte'

type Load = () => Promise<{ default: Component<{ params: Record<string, string> }> }>

const media: Load = () => import('../../media/Media.svelte')
const boards: Load = () => import('../../boards/Boards.svelte')
const board: Load = () => import('../../boards/Board.svelte')
const tasks: Load = () => import('../../tasks/Tasks.svelte')
const spaceList: Load = () => import('../../spaces/Spaces.svelte')
const space: Load = () => import('../../spaces/Space.svelte')
const inbox: Load = () => import('../../notifications/Inbox.svelte')
const trash: Load = () => import('../../trash/Trash.svelte')
const settings: Load = () => import('../../settings/Settings.svelte')

export const SCREENS: [pattern: string, title: string, load: Load][] = [
  ['/media', 'Media', media],
  ['/media/:id', 'Media', media],
  ['/boards', 'Boards', boards],
  ['/boards/:id', 'Board', board],
  ['/tasks', 'Tasks', tasks],
  ['/tasks/:id', 'Tasks', tasks],
  ['/spaces', 'Spaces', spaceList],
  ['/spaces/:id', 'Space', space],
  ['/notifications', 'Notifications', inbox],
  ['/trash', 'Trash', trash],
  ['/settings', 'Settings', settings],
  ['/settings/:part', 'Settings', settings],
]

export function screenAt(path: string): { title: string; load: Load; params: Record<string, string> } | null {
  for (const [pattern, title, load] of SCREENS) {
    const params = match(pattern, path)
    if (params) return { title, load, params }
  }
  return null
}
