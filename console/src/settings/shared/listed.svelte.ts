/** A list of the API, page by page, as far as the person has asked for it. */
import { again } from '../../api/back'
import { SigningIn } from '../../api/session'

interface Answer<T> {
  data: T[]
  meta: object
}

export class Listed<T> {
  items = $state.raw<T[]>([])
  error = $state.raw<unknown>(null)
  starting = $state(true)
  more = $state(false)
  #next: string | undefined

  constructor(private readonly fetchPage: (cursor?: string) => Promise<Answer<T>>) {
    queueMicrotask(() => void this.load()) // not part of the component that makes it
  }

  /** The next page; at the beginning the first one. */
  async load(): Promise<void> {
    this.error = null
    try {
      const before = this.#next === undefined ? [] : this.items
      const { data, meta } = await this.fetchPage(this.#next)
      this.#next = (meta as { nextCursor?: string | null }).nextCursor ?? undefined
      this.items = [...before, ...data]
      this.more = this.#next !== undefined
    } catch (error) {
      if (error instanceof SigningIn) return
      this.error = error
      again(error, () => this.error === error && void this.load())
    }
    this.starting = false
  }

  /** Load the list from the start, after something has changed. */
  reload(): Promise<void> {
    this.#next = undefined
    return this.load()
  }
}
