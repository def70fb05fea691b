/** Commands that every list has: for the panel of the open item, and for the selection. */
import type { Command } from '../commands/commands.svelte'
import type { Selection } from './selection.svelte'

interface Panel {
  /** The item that has the focus, if it can be opened. */
  focused: () => string | null
  openId: () => string | null
  open: (id: string) => void
  close: () => void
}

/** `list` begins the ids of the commands. */
export function panelCommands(list: string, group: string, { focused, openId, open, close }: Panel): Command[] {
  const isOpen = () => openId() !== null
  const isFocused = () => focused() !== null
  const common = { group, hidden: true }
  return [
    { ...common, id: `${list}.open`, name: 'Open', keys: 'Enter', when: isFocused, run: () => open(focused()!) },
    { ...common, id: `${list}.close`, name: 'Close the panel', keys: 'Escape', when: isOpen, run: close },
  ]
}

interface Selecting {
  selection: Selection
  /** The item that a key selects. */
  target: () => string | null
  openId: () => string | null
  all?: () => void
}

export function selectionCommands(
  list: string,
  group: string,
  { selection, target, openId, all = () => selection.all() }: Selecting,
): Command[] {
  const isSelected = () => selection.size > 0 && !openId()
  const isThere = () => target() !== null
  const toggle = () => selection.toggle(target()!)
  const clear = () => selection.clear()
  return [
    { id: `${list}.select`, name: 'Select', group, keys: ['x', 'Space'], when: isThere, run: toggle },
    { id: `${list}.all`, name: 'Select all that is loaded', group, keys: 'Mod+a', run: all },
    { id: `${list}.clear`, name: 'Clear the selection', group, keys: 'Escape', when: isSelected, run: clear },
  ]
}
