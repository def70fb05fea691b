/**
 * A list of any length. Only the items near the view are in memory. Pages are asked for by cursor as the person
 * scrolls; far pages give up their items, keep their cursor and count, and come back when the person returns. There are
 * no totals. A list that begins in the middle also has `fetchBefore`, whose pages are nearest first and stand above.
 */
import { again } from '../../api/back'
import { SigningIn } from '../../api/session'

export interface Page<T, C> {
  items: T[]
  next: C | null
}

type Fetch<T, C> = (cursor: C | null, signal: AbortSignal) => Promise<Page<T, C>>

interface Held<T, C> {
  cursor: C | null
  above: boolean
  count: number
  items: T[] | null
  loading: boolean
  /** True if new items were added, with which it cannot be asked for. */
  added?: boolean
}

/** The number of pages on either side of the view that keep their items. */
const KEPT_PAGES = 6

export class PagedList<T extends { id: string }, C = string> {
  error = $state.raw<unknown>(null)
  /** True until the first answer is there. */
  starting = $state(true)
  #held = $state.raw<Held<T, C>[]>([])
  #next: C | null = null
  #nextAbove: C | null = null
  #loadingAbove = false
  #asked: AbortController | null = null
  #loadingNext = false
  ended = $state(false)
  /** True if no item is above the first known one. */
  begun = $state(true)

  constructor(
    private readonly fetchPage: Fetch<T, C>,
    private readonly fetchBefore: Fetch<T, C> | null = null,
  ) {
    this.begun = fetchBefore === null
    queueMicrotask(() => void this.#loadNext(true)) // not part of the component that makes the list
  }

  /** The number of items that are known so far. */
  get count(): number {
    return this.#held.reduce((sum, page) => sum + page.count, 0)
  }

  /** The number of those that are above the place where the list began. */
  get above(): number {
    return this.#held.reduce((sum, page) => sum + (page.above ? page.count : 0), 0)
  }

  /** The items in memory, in order. */
  get loaded(): T[] {
    return this.#held.flatMap((page) => page.items ?? [])
  }

  slice(from: number, to: number): (T | null)[] {
    const found: (T | null)[] = []
    let start = 0
    for (const page of this.#held) {
      const end = start + page.count
      if (end > from && start < to) {
        for (let index = Math.max(from, start); index < Math.min(to, end); index += 1) {
          found.push(page.items?.[index - start] ?? null)
        }
      }
      start = end
    }
    return found
  }

  indexOf(id: string): number {
    let start = 0
    for (const page of this.#held) {
      const at = page.items?.findIndex((item) => item.id === id) ?? -1
      if (at >= 0) return start + at
      start += page.count
    }
    return -1
  }

  find(id: string): T | null {
    for (const page of this.#held) {
      const item = page.items?.find((each) => each.id === id)
      if (item) return item
    }
    return null
  }

  /** The view is here now: what is missing comes, what is far goes. */
  show(from: number, to: number): void {
    let start = 0
    let first = -1
    let last = -1
    for (const [number, page] of this.#held.entries()) {
      const end = start + page.count
      if (end > from && start < to) {
        if (first < 0) first = number
        last = number
        if (!page.items && !page.loading) void this.#reload(page)
      }
      start = end
    }
    if (first >= 0) this.#giveUp(first, last)
    if (to >= start - 24 && !this.ended) void this.#loadNext()
    if (from < 24 && !this.begun && !this.starting) void this.#loadAbove()
  }

  retry(): void {
    this.error = null
    void this.#loadNext(this.#held.length === 0)
  }

  put(items: T[]): void {
    const fresh = new Map(items.map((item) => [item.id, item]))
    this.#held = this.#held.map((page) =>
      page.items?.some((item) => fresh.has(item.id))
        ? { ...page, items: page.items.map((item) => fresh.get(item.id) ?? item) }
        : page,
    )
  }

  /** Add new items at the top, or where they belong in this order of the first page. */
  addFirst(items: T[], order?: (a: T, b: T) => number): void {
    const unknown = items.filter((item) => !this.find(item.id))
    const [page, ...others] = this.#held
    if (!page?.items || unknown.length === 0 || !this.begun) return
    const all = [...unknown, ...page.items]
    if (order) all.sort(order)
    this.#held = [{ ...page, items: all, count: all.length, added: true }, ...others]
  }

  remove(ids: Set<string>): void {
    this.#held = this.#held.map((page) => {
      if (!page.items?.some((item) => ids.has(item.id))) return page
      const items = page.items.filter((item) => !ids.has(item.id))
      return { ...page, items, count: items.length }
    })
  }

  /** Put back what was removed: where it was, if its neighbours are still there. */
  snapshot(): () => void {
    const before = this.#held
    return () => (this.#held = before)
  }

  stop(): void {
    this.#asked?.abort()
  }

  async #loadNext(first = false): Promise<void> {
    if (this.#loadingNext || this.error || (this.ended && !first)) return
    this.#loadingNext = true
    this.#asked = new AbortController()
    try {
      const cursor = this.#next
      const { items, next } = await this.fetchPage(cursor, this.#asked.signal)
      this.#held = [...this.#held, { cursor, above: false, count: items.length, items, loading: false }]
      this.#next = next
      this.ended = next === null
      this.starting = false
    } catch (error) {
      if (!this.#asked.signal.aborted && !(error instanceof SigningIn)) {
        this.error = error
        this.starting = false
        again(error, () => this.error === error && this.retry())
      }
    } finally {
      this.#loadingNext = false
    }
  }

  async #loadAbove(): Promise<void> {
    if (this.#loadingAbove) return
    this.#loadingAbove = true
    try {
      const cursor = this.#nextAbove
      const page = await this.#read(cursor, true)
      this.#held = [{ cursor, above: true, count: page.items.length, items: page.items, loading: false }, ...this.#held]
      this.#nextAbove = page.next
      this.begun = page.next === null
    } catch {
      // The next look at the top asks again.
    } finally {
      this.#loadingAbove = false
    }
  }

  async #read(cursor: C | null, above: boolean): Promise<Page<T, C>> {
    const { signal } = new AbortController()
    if (!above || !this.fetchBefore) return this.fetchPage(cursor, signal)
    const { items, next } = await this.fetchBefore(cursor, signal)
    return { items: items.toReversed(), next }
  }

  async #reload(page: Held<T, C>): Promise<void> {
    page.loading = true
    try {
      const { items } = await this.#read(page.cursor, page.above)
      this.#held = this.#held.map((each) =>
        each.cursor === page.cursor && each.above === page.above
          ? { ...each, items, count: items.length, loading: false }
          : each,
      )
    } catch (error) {
      page.loading = false
      again(error, () => !page.items && void this.#reload(page))
    }
  }

  #giveUp(first: number, last: number): void {
    const isFar = (page: Held<T, C>, number: number) =>
      page.items && !page.added && (number < first - KEPT_PAGES || number > last + KEPT_PAGES)
    if (this.#held.some(isFar))
      this.#held = this.#held.map((page, number) => (isFar(page, number) ? { ...page, items: null } : page))
  }
}
