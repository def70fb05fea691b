/** The commands of the library, by key or palette. */
import type { Entry } from '../api/media'
import { appearance } from '../shell/appearance.svelte'
import { useCommands } from '../shell/commands/commands.svelte'
import { panelCommands, selectionCommands } from '../shell/lists/list_commands'
import type { PagedList } from '../shell/lists/paged.svelte'
import type { Selection } from '../shell/lists/selection.svelte'
import { say } from '../shell/toasts.svelte'
import type { Bulk } from './bulk/bulk.svelte'
import type { Cursor } from './library'

interface Library {
  selection: Selection
  bulk: Bulk
  open: (id: string) => void
  close: () => void
  step: (by: number) => void
  full: (id: string) => void
  openId: () => string | null
  focused: () => string | null
  list: () => PagedList<Entry, Cursor>
}

export function useMediaCommands({ selection, bulk, open, close, step, full, openId, focused, list }: Library): void {
  const group = 'Media'
  /** The entry that a key means if nothing is selected: the open one, else the one with the focus. */
  const target = () => openId() ?? focused()
  const some = () => selection.size > 0 || target() !== null
  const someToEdit = () => bulk.mayEdit(target())

  useCommands([
    ...panelCommands('media', group, { focused: () => (openId() ? null : focused()), openId, open, close }),
    ...selectionCommands('media', group, { selection, target, openId, all: selectAll }),
    {
      id: 'media.next',
      name: 'Next item',
      group,
      keys: ['j', 'ArrowRight'],
      hidden: true,
      when: () => openId() !== null,
      run: () => step(1),
    },
    {
      id: 'media.previous',
      name: 'Previous item',
      group,
      keys: ['k', 'ArrowLeft'],
      hidden: true,
      when: () => openId() !== null,
      run: () => step(-1),
    },
    {
      id: 'media.full',
      name: 'Full screen',
      group,
      keys: 'f',
      when: () => target() !== null,
      run: () => full(target()!),
    },
    { id: 'media.tag', name: 'Tag', group, keys: 't', when: someToEdit, run: () => bulk.ask('tag', target()) },
    { id: 'media.links', name: 'Copy links', group, keys: 'c', when: some, run: () => bulk.ask('links', target()) },
    {
      id: 'media.download',
      name: 'Download',
      group,
      keys: 'Shift+d',
      when: some,
      run: () => void bulk.download(bulk.entries(target())),
    },
    {
      id: 'media.public',
      name: 'Show to everyone with the link',
      group,
      when: someToEdit,
      run: () => void bulk.setVisibility(bulk.entries(target()), 'public'),
    },
    {
      id: 'media.protected',
      name: 'Show only to the people of the space',
      group,
      when: someToEdit,
      run: () => void bulk.setVisibility(bulk.entries(target()), 'protected'),
    },
    {
      id: 'media.delete',
      name: 'Delete',
      group,
      keys: 'Delete',
      when: someToEdit,
      run: () => void bulk.remove(bulk.entries(target())),
    },
    {
      id: 'media.view',
      name: 'Switch between grid and list',
      group,
      keys: 'v',
      run: () => (appearance.view = appearance.view === 'grid' ? 'list' : 'grid'),
    },
  ])

  function selectAll() {
    selection.all()
    if (!list().ended) say(`All ${selection.size} that are loaded are selected. Scroll on for more.`)
  }
}
