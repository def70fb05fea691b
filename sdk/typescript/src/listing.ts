/** A list that is read page by page while you iterate it. Before that, no request is sent. */

export interface Page<T> {
  data: T[]
  /** The cursor of the next page; null at the end. */
  next: string | null
}

export interface PageAnswer<T> {
  data: T[]
  meta: { nextCursor?: string | null }
}

export class Listing<T> implements AsyncIterable<T> {
  readonly #ask: (cursor: string | undefined) => Promise<PageAnswer<T>>

  constructor(ask: (cursor: string | undefined) => Promise<PageAnswer<T>>) {
    this.#ask = ask
  }

  async page(cursor?: string | null): Promise<Page<T>> {
    const { data, meta } = await this.#ask(cursor ?? undefined)
    return { data, next: meta.nextCursor ?? null }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Page<T> = await this.page(cursor)
      yield* page.data
      cursor = page.next
    }
  }

  /** All items in one array, or the first `max` of them. */
  async all({ max = Infinity }: { max?: number } = {}): Promise<T[]> {
    const found: T[] = []
    if (max <= 0) return found
    for await (const item of this) if (found.push(item) >= max) break
    return found
  }
}
