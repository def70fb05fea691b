/**
 * Every action, declared once with its name, shortcut and handler; the palette, the sheet of shortcuts and the tooltips
 * read it here. A screen gives its own with `useCommands` while it is shown.
 */
import type { Attachment } from 'svelte/attachments'
import { SvelteMap } from 'svelte/reactivity'

import { forAria, isTyping, ownsKey, pressed, shown } from './keys'

export interface Command {
  id: string
  name: string
  /** The heading under which it is listed. */
  group: string
  /** One shortcut, or several that do the same. */
  keys?: string | string[]
  /** False while it makes no sense: then it is neither listed nor run. */
  when?: () => boolean
  /** Kept out of the palette: moving about, closing. */
  hidden?: boolean
  run: () => void
}

const SEQUENCE_MS = 1000
const commands = new SvelteMap<string, Command>()

/** Called in a component: these commands exist while it does. Of two with the same id or keys, the later one counts. */
export function useCommands(list: Command[]): void {
  $effect(() => {
    for (const command of list) commands.set(command.id, command)
    return () => {
      for (const command of list) if (commands.get(command.id) === command) commands.delete(command.id)
    }
  })
}

export function allCommands(): Command[] {
  return [...commands.values()].filter((command) => !command.when || command.when())
}

export function keysOf(command: Command): string[] {
  return command.keys === undefined ? [] : typeof command.keys === 'string' ? [command.keys] : command.keys
}

export function runCommand(id: string): void {
  commands.get(id)?.run()
}

/** `{@attach hint('media.upload')}`: a tooltip with the name and the shortcut, which a screen reader reads, too. */
export function hint(id: string): Attachment<HTMLElement> {
  return (element) => {
    const command = commands.get(id)
    if (!command) return
    const [keys] = keysOf(command)
    element.title = keys ? `${command.name} (${shown(keys).join(' ')})` : command.name
    if (keys) element.setAttribute('aria-keyshortcuts', forAria(keys))
  }
}

/** Listen to the keyboard. Returns a function that ends this. */
export function listenToKeys(): () => void {
  let first = ''
  let firstAt = 0
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const key = pressed(event)
    if ((isTyping(event.target) && !key.startsWith('Mod+')) || ownsKey(event.target, key)) return
    // A dialog has the keyboard for itself.
    if (document.querySelector('dialog:modal')) return
    const pair = performance.now() - firstAt < SEQUENCE_MS ? `${first} ${key}` : null
    const command = (pair && find(pair)) || find(key)
    first = key
    firstAt = performance.now()
    if (!command || (isTyping(event.target) && !command.id.startsWith('shell.'))) return
    event.preventDefault()
    command.run()
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}

function find(keys: string): Command | undefined {
  return allCommands()
    .reverse()
    .find((command) => keysOf(command).includes(keys))
}
