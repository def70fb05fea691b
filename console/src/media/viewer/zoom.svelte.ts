/** How far a picture is enlarged and where it is moved, by wheel, keys, two fingers or a drag. Pixels are from its middle. */
const MOST = 8
const SWIPE_PX = 60
const CLOSE_PX = 110

interface Point {
  x: number
  y: number
}

export class Zoom {
  scale = $state(1)
  x = $state(0)
  y = $state(0)
  #fingers = new Map<number, Point>()
  #from: Point | null = null

  constructor(private readonly swiped: { step: (by: number) => void; close: () => void }) {}

  get style(): string {
    return `translate(${this.x}px, ${this.y}px) scale(${this.scale})`
  }

  reset(): void {
    this.scale = 1
    this.x = this.y = 0
  }

  /** Enlarges the picture so that the part under the point stays there. */
  by(factor: number, at: Point = { x: 0, y: 0 }): void {
    const scale = Math.min(MOST, Math.max(1, this.scale * factor))
    const part = scale / this.scale
    this.x = at.x - (at.x - this.x) * part
    this.y = at.y - (at.y - this.y) * part
    this.scale = scale
    if (scale === 1) this.reset()
  }

  toggle(at: Point): void {
    if (this.scale > 1) this.reset()
    else this.by(2.5, at)
  }

  down(id: number, at: Point): void {
    this.#fingers.set(id, at)
    this.#from = this.#fingers.size === 1 ? at : null
  }

  move(id: number, at: Point): void {
    const before = this.#fingers.get(id)
    if (!before) return
    const other = [...this.#fingers].find(([finger]) => finger !== id)?.[1]
    this.#fingers.set(id, at)
    if (other) {
      const apart = (point: Point) => Math.hypot(point.x - other.x, point.y - other.y)
      this.by(apart(at) / Math.max(1, apart(before)), { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 })
    } else if (this.scale > 1) {
      this.x += at.x - before.x
      this.y += at.y - before.y
    }
  }

  /** A swipe to the side steps, one down closes; neither does while the picture is enlarged. */
  up(id: number, at: Point | null): void {
    const from = this.#from
    this.#fingers.delete(id)
    this.#from = null
    if (!from || !at || this.scale > 1) return
    const [dx, dy] = [at.x - from.x, at.y - from.y]
    if (Math.abs(dx) > SWIPE_PX && Math.abs(dx) > Math.abs(dy)) this.swiped.step(dx < 0 ? 1 : -1)
    else if (dy > CLOSE_PX) this.swiped.close()
  }
}
