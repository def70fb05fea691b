/** Shortcuts as text: `u`, `Shift+ArrowDown`, `Mod+k` (Ctrl, on a Mac Cmd), `g m` (one after the other). */

const MAC = /Mac|iPhone|iPad/.test(navigator.platform)
const SHOWN: Record<string, string> = {
  Mod: MAC ? '⌘' : 'Ctrl',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Delete: 'Del',
  Escape: 'Esc',
  Space: 'Space',
}

/** The key that was pressed, written as shortcuts are. */
export function pressed(event: KeyboardEvent): string {
  const parts: string[] = []
  if (event.ctrlKey || event.metaKey) parts.push('Mod')
  if (event.altKey) parts.push('Alt')
  const key = event.key === ' ' ? 'Space' : event.key.length === 1 ? event.key.toLowerCase() : event.key
  // A character that needs Shift to be typed (`?`) is named by itself.
  if (event.shiftKey && (event.key.length > 1 || /[a-z]/i.test(event.key))) parts.push('Shift')
  return [...parts, key].join('+')
}

/** The parts of a shortcut as people read them, for <kbd>. */
export function shown(keys: string): string[] {
  return keys.split(/[+ ]/).map((part) => SHOWN[part] ?? (part.length === 1 ? part.toUpperCase() : part))
}

/** The shortcut in the form of `aria-keyshortcuts`. */
export function forAria(keys: string): string {
  return keys.replaceAll('Mod', MAC ? 'Meta' : 'Control')
}

/** True while the person types text, so that keys are no shortcuts. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range', 'file'].includes(target.type)
}

const PRESSED = 'button, summary, input, select, textarea, video, [role^=menuitem]'

/** True if the element that has the focus uses this key itself. */
export function ownsKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false
  if (key === 'Enter') return target.closest(`a, ${PRESSED}`) !== null
  if (key === 'Space') return target.closest(PRESSED) !== null
  return key.startsWith('Arrow') && target.closest('input, select, video, [role=menu]') !== null
}
