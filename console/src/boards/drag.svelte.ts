/**
 * Cards under the pointer. A mouse drags after a few pixels, a finger after a long press (before that it scrolls);
 * Escape puts the card back. Columns carry `data-column`, cards `data-card`; only their places on the screen count. A
 * move of the pointer is only noted. The next frame measures and draws, so that nothing is laid out twice.
 */
import type { Spot } from './arrange'

const FAR_PX = 5
const PRESS_MS = 350
const EDGE_PX = 48
const STEP_PX = 12

export class Drag {
  id = $state<string | null>(null)
  spot = $state.raw<Spot | null>(null)
  /** The place of the line that shows the spot. It lies above the cards, so that no list is laid out again for it. */
  line = $state.raw<{ x: number; y: number; width: number } | null>(null)
  x = $state(0)
  y = $state(0)
  width = 0
  #at = { x: 0, y: 0 }
  #grip = { x: 0, y: 0 }
  #card: HTMLElement | null = null
  #stop: (() => void) | null = null
  #frame = 0

  constructor(
    private readonly root: () => HTMLElement | undefined,
    private readonly drop: (id: string, to: Spot) => void,
  ) {}

  /** A pointer was pressed on a card. */
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
      this.#at = { x: moved.clientX, y: moved.clientY }
    }
    const onUp = () => {
      if (this.id) this.#look()
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
    delete this.#card?.dataset.dragged
    this.#card = this.id = this.spot = this.line = null
  }

  #begin(card: HTMLElement, id: string, start: { x: number; y: number }): void {
    const box = card.getBoundingClientRect()
    this.#grip = { x: start.x - box.left, y: start.y - box.top }
    this.#at = start
    this.#card = card
    this.width = box.width
    this.id = id
    card.dataset.dragged = ''
    getSelection()?.removeAllRanges()
    this.#follow()
  }

  /** Once in a frame: first measure (the layout is that of the frame before), then change. */
  #follow(): void {
    const root = this.root()
    if (!root || !this.id) return
    const { x, y } = this.#at
    const box = root.getBoundingClientRect()
    const list = this.#look()
    this.x = x - this.#grip.x
    this.y = y - this.#grip.y
    const sideways = towards(x, box.left, box.right)
    const down = towards(y, box.top + EDGE_PX, box.bottom)
    if (sideways) root.scrollLeft += sideways
    if (down && list) list.scrollTop += down
    this.#frame = requestAnimationFrame(() => this.#follow())
  }

  /** Finds the column under the pointer and the place among its cards; returns the list that scrolls. */
  #look(): HTMLElement | null {
    const { x, y } = this.#at
    const column = [...(this.root()?.children ?? [])].find((each) => within(each.getBoundingClientRect(), x))
    const list = column?.querySelector<HTMLElement>('[role=list]')
    if (!(column instanceof HTMLElement) || !list) {
      this.spot = this.line = null
      return null
    }
    // A stack that is out of sight has a place. Its cards have none until they are laid out, so they are not measured.
    const stacks = [...list.children]
    const among = Math.min(
      firstWhere(stacks, (box) => y < box.bottom),
      stacks.length - 1,
    )
    const cards = [...(stacks[among]?.children ?? [])]
    const at = firstWhere(cards, (box) => y < box.top + box.height / 2)
    const above = [...stacks.slice(0, among).flatMap((stack) => [...stack.children]), ...cards.slice(0, at)]
    this.spot = { columnId: column.dataset.column!, index: above.filter((card) => card !== this.#card).length }
    const box = list.getBoundingClientRect()
    const last = cards[at] ? null : cards[at - 1]
    const edge = last
      ? last.getBoundingClientRect().bottom + 3
      : (cards[at]?.getBoundingClientRect().top ?? box.top) - 6
    this.line = { x: box.left + 4, y: Math.min(Math.max(edge, box.top), box.bottom - 3), width: box.width - 8 }
    return list
  }
}

/** The first element with such a place. Elements are in order, so only a few are looked at, however many there are. */
function firstWhere(elements: Element[], isSo: (box: DOMRect) => boolean): number {
  let low = 0
  for (let high = elements.length; low < high;) {
    const between = (low + high) >> 1
    if (isSo(elements[between]!.getBoundingClientRect())) high = between
    else low = between + 1
  }
  return low
}

function towards(at: number, from: number, to: number): number {
  return at < from + EDGE_PX ? -STEP_PX : at > to - EDGE_PX ? STEP_PX : 0
}

function within(box: DOMRect, x: number): boolean {
  return x >= box.left && x <= box.right
}

function swallow(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}
