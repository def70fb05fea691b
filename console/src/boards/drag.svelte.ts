/**
 * Cards under the pointer. A mouse drags after a few pixels, a finger after a long press (before that it scrolls);
 * Escape puts the card back. Columns carry `data-column`, cards `data-card`: where they are on the screen is all that counts.
 */
import type { Spot } from './arrange'

const FAR_PX = 5
const PRESS_MS = 350
const EDGE_PX = 48
const STEP_PX = 12

export class Drag {
  id = $state<string | null>(null)
  spot = $state.raw<Spot | null>(null)
  x = $state(0)
  y = $state(0)
  width = 0
  #grip = { x: 0, y: 0 }
  #stop: (() => void) | null = null
  #frame = 0

  constructor(
    private readonly root: () => HTMLElement | undefined,
    private readonly drop: (id: string, to: Spot) => void,
  ) {}

  /** A pointer went down on a card. */
  press(event: PointerEvent): void {
    if (event.button !== 0 || this.#stop || (event.target as Element).closest('button')) return
    const card = event.currentTarget as HTMLElement
    const id = card.dataset.card!
    const start = { x: event.clientX, y: event.clientY }
    const touch = event.pointerType === 'touch'
    const begin = () => this.#begin(card, id, start)
    const timer = touch ? setTimeout(begin, PRESS_MS) : undefined
    const onMove = (moved: PointerEvent) => {
      if (moved.pointerId !== event.pointerId) return
      const far = Math.hypot(moved.clientX - start.x, moved.clientY - start.y) > FAR_PX
      if (!this.id && far && touch) return this.cancel()
      if (!this.id && far) begin()
      if (this.id) this.#over(moved.clientX, moved.clientY)
    }
    const onUp = () => {
      const { id: dragged, spot } = this
      if (dragged) addEventListener('click', swallow, { capture: true, once: true })
      setTimeout(() => removeEventListener('click', swallow, { capture: true }), 0)
      this.cancel()
      if (dragged && spot) this.drop(dragged, spot)
    }
    const onKey = (pressed: KeyboardEvent) => {
      if (pressed.key !== 'Escape' || !this.id) return
      swallow(pressed)
      this.cancel()
    }
    const still = (moved: Event) => this.id && moved.cancelable && moved.preventDefault()
    const control = new AbortController()
    const { signal } = control
    addEventListener('pointermove', onMove, { signal })
    addEventListener('pointerup', onUp, { signal })
    addEventListener('pointercancel', () => this.cancel(), { signal })
    addEventListener('keydown', onKey, { signal, capture: true })
    addEventListener('touchmove', still, { signal, passive: false })
    addEventListener('contextmenu', still, { signal })
    this.#stop = () => {
      clearTimeout(timer)
      control.abort()
    }
  }

  cancel(): void {
    this.#stop?.()
    this.#stop = null
    cancelAnimationFrame(this.#frame)
    this.id = null
    this.spot = null
  }

  #begin(card: HTMLElement, id: string, start: { x: number; y: number }): void {
    const box = card.getBoundingClientRect()
    this.#grip = { x: start.x - box.left, y: start.y - box.top }
    this.width = box.width
    this.id = id
    this.#over(start.x, start.y)
    getSelection()?.removeAllRanges()
    this.#frame = requestAnimationFrame(() => this.#scroll())
  }

  #over(x: number, y: number): void {
    this.x = x - this.#grip.x
    this.y = y - this.#grip.y
    this.spot = this.#spotAt(x, y)
  }

  /** The column under the pointer, and before which of its cards. */
  #spotAt(x: number, y: number): Spot | null {
    const columns = [...(this.root()?.querySelectorAll<HTMLElement>('[data-column]') ?? [])]
    const column = columns.find((each) => within(each.getBoundingClientRect(), x))
    if (!column) return null
    const cards = [...column.querySelectorAll<HTMLElement>('[data-card]')].filter(
      (each) => each.dataset.card !== this.id,
    )
    const index = cards.findIndex((each) => y < middle(each.getBoundingClientRect()))
    return { columnId: column.dataset.column!, index: index < 0 ? cards.length : index }
  }

  /** Near an edge the board goes sideways, the column up or down. */
  #scroll(): void {
    const root = this.root()
    if (!root || !this.id) return
    const x = this.x + this.#grip.x
    const y = this.y + this.#grip.y
    const list = [...root.querySelectorAll<HTMLElement>('[data-column] ol')].find((each) =>
      within(each.getBoundingClientRect(), x),
    )
    const box = root.getBoundingClientRect()
    root.scrollLeft += towards(x, box.left, box.right)
    if (list) list.scrollTop += towards(y, box.top + EDGE_PX, box.bottom)
    this.spot = this.#spotAt(x, y)
    this.#frame = requestAnimationFrame(() => this.#scroll())
  }
}

function towards(at: number, from: number, to: number): number {
  return at < from + EDGE_PX ? -STEP_PX : at > to - EDGE_PX ? STEP_PX : 0
}

function within(box: DOMRect, x: number): boolean {
  return x >= box.left && x <= box.right
}

function middle(box: DOMRect): number {
  return box.top + box.height / 2
}

function swallow(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}
