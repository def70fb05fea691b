/**
 * Reads a ThumbHash, the placeholder of an image in about 25 bytes: the first waves of a cosine transform, of brightness
 * (`l`), of two differences of colour (`p`, `q`), and of opacity (`a`). A header has the averages and scales; each wave
 * after it has four bits.
 */

export interface Pixels {
  width: number
  height: number
  rgba: Uint8ClampedArray<ArrayBuffer>
}

interface Channel {
  average: number
  /** Strengths of the waves, with the number of periods across and down. */
  waves: [across: number, down: number, strength: number][]
}

const LONGER_SIDE = 32

/** Throws RangeError for bytes that are no ThumbHash. */
export function readThumbHash(text: string): Pixels {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  if (bytes.length < 5) throw new RangeError('no ThumbHash')
  const bits = (start: number, count: number) => {
    let value = 0
    for (let bit = count - 1; bit >= 0; bit -= 1)
      value = value * 2 + ((bytes[(start + bit) >> 3]! >> ((start + bit) & 7)) & 1)
    return value
  }
  const hasAlpha = bits(23, 1) === 1
  const isLandscape = bits(39, 1) === 1
  const given = bits(24, 3)
  const across = isLandscape ? (hasAlpha ? 5 : 7) : given
  const down = isLandscape ? given : hasAlpha ? 5 : 7
  let at = hasAlpha ? 48 : 40
  const channel = (average: number, scale: number, columns: number, rows: number): Channel => {
    const waves: Channel['waves'] = []
    for (let y = 0; y < rows; y += 1)
      for (let x = y === 0 ? 1 : 0; x * rows < columns * (rows - y); x += 1, at += 4)
        waves.push([x, y, (bits(at, 4) / 7.5 - 1) * scale * 2])
    return { average, waves }
  }
  const l = channel(bits(0, 6) / 63, bits(18, 5) / 31, Math.max(3, across), Math.max(3, down))
  const p = channel(bits(6, 6) / 31.5 - 1, (bits(27, 6) / 63) * 1.25, 3, 3)
  const q = channel(bits(12, 6) / 31.5 - 1, (bits(33, 6) / 63) * 1.25, 3, 3)
  const a = hasAlpha ? channel(bits(40, 4) / 15, bits(44, 4) / 15, 5, 5) : { average: 1, waves: [] }
  return draw(across / down, [l, p, q, a])
}

function draw(ratio: number, [l, p, q, a]: [Channel, Channel, Channel, Channel]): Pixels {
  const width = Math.round(ratio > 1 ? LONGER_SIDE : LONGER_SIDE * ratio)
  const height = Math.round(ratio > 1 ? LONGER_SIDE / ratio : LONGER_SIDE)
  const rgba = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = ({ average, waves }: Channel) =>
        waves.reduce(
          (sum, [across, down, strength]) =>
            sum +
            strength *
              Math.cos((Math.PI / width) * (x + 0.5) * across) *
              Math.cos((Math.PI / height) * (y + 0.5) * down),
          average,
        )
      const [light, yellow, red] = [at(l), at(p), at(q)]
      const b = light - (2 / 3) * yellow
      const r = (3 * light - b + red) / 2
      rgba.set(
        [r, r - red, b, at(a)].map((part) => 255 * part),
        (y * width + x) * 4,
      )
    }
  return { width, height, rgba }
}
