/**
 * The selection in a list; it works the same everywhere. A checkbox or `x` toggles, Shift takes the range from the last one
 * touched, Ctrl/Cmd adds, "all" means all that is loaded.
 */
import { SvelteSet } from 'svelte/reactivity'

export class Selection {
  readonly ids = new SvelteSet<string>()
  #anchor: string | null = null

  /** `order` gives the ids as they are shown at the moment. */
  constructor(private readonly order: () => string[]) {}

  get size(): number {
    return this.ids.size
  }

  has(id: string): boolean {
    return this.ids.has(id)
  }

  toggle(id: string): void {
    if (!this.ids.delete(id)) this.ids.add(id)
    this.#anchor = id
  }

  /** Select everything from the item that was touched last up to this one. */
  extend(id: string): void {
    const order = this.order()
    const from = this.#anchor === null ? -1 : order.indexOf(this.#anchor)
    const to = order.indexOf(id)
    if (from < 0 || to < 0) return this.toggle(id)
    for (const each of order.slice(Math.min(from, to), Math.max(from, to) + 1)) this.ids.add(each)
  }

  /** A click on a checkbox or, with Shift or Ctrl/Cmd, on the item itself. True if it selected. */
  click(event: MouseEvent | KeyboardEvent, id: string): boolean {
    if (event.shiftKey) this.extend(id)
    else if (event.metaKey || event.ctrlKey) this.toggle(id)
    else return false
    return true
  }

  all(): void {
    for (const id of this.order()) this.ids.add(id)
  }

  clear(): void {
    this.ids.clear()
    this.#anchor = null
  }

  /** Items that are gone are no longer selected. */
  drop(ids: Iterable<string>): void {
    for (const id of ids) this.ids.delete(id)
  }
}
