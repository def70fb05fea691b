/** The commands of every screen. */
import { keptOfPerson, PUSH_CHANNEL } from '../../api/browser_store'
import { signOut } from '../../api/session'
import { appearance, nextTheme } from '../appearance.svelte'
import { useCommands } from '../commands/commands.svelte'
import { overlays } from './overlays.svelte'
import { go } from '../router.svelte'
import { sayFailed } from '../toasts.svelte'
import { undoOrRetry } from '../undo'

export function useShellCommands(): void {
  useCommands([
    place('/media', 'Media', 'g m'),
    place('/boards', 'Boards', 'g b'),
    place('/tasks', 'Tasks', 'g t'),
    place('/tasks?view=mine', 'My work', 'g w'),
    place('/notifications', 'Notifications', 'g n'),
    place('/trash', 'Trash', 'g x'),
    place('/settings', 'Settings', 'g ,'),
    place('/spaces', 'Spaces and their people'),
    {
      id: 'shell.space',
      name: 'Switch to another space',
      group: 'Go to',
      keys: 'g s',
      run: () => document.getElementById('space')?.click(),
    },
    {
      id: 'shell.palette',
      name: 'Commands',
      group: 'Anywhere',
      keys: 'Mod+k',
      hidden: true,
      run: () => (overlays.palette = true),
    },
    {
      id: 'shell.search',
      name: 'Search',
      group: 'Anywhere',
      keys: '/',
      run: () => document.getElementById('search')?.focus(),
    },
    {
      id: 'shell.shortcuts',
      name: 'Keyboard shortcuts',
      group: 'Anywhere',
      keys: '?',
      run: () => (overlays.shortcuts = true),
    },
    {
      id: 'shell.last',
      name: 'Undo the last change, or try the last failure again',
      group: 'Anywhere',
      keys: 'z',
      run: undoOrRetry,
    },
    { id: 'shell.theme', name: 'Switch between light, dark and system', group: 'Appearance', run: nextTheme },
    {
      id: 'shell.nav',
      name: 'Fold the navigation',
      group: 'Appearance',
      keys: '[',
      run: () => (appearance.foldedNav = !appearance.foldedNav),
    },
    {
      id: 'shell.docs',
      name: 'API documentation',
      group: 'Anywhere',
      run: () => window.open('/docs', '_blank', 'noreferrer'),
    },
    { id: 'shell.sign-out', name: 'Sign out', group: 'Anywhere', run: () => void leave() },
  ])
}

function place(path: string, name: string, keys?: string) {
  return { id: `shell.go${path}`, name, group: 'Go to', keys, run: () => go(path) }
}

async function leave(): Promise<void> {
  try {
    // If this fails, the push service answers that the browser is gone.
    if (keptOfPerson(PUSH_CHANNEL)) await (await import('../../notifications/this_browser')).stop().catch(() => {})
    await signOut()
  } catch (error) {
    sayFailed('You are still signed in', error)
  }
}
