// Runs every sentence in this Node; ORIGIN, TOKEN, IMAGE and PACKAGE (where dist is) come from the environment.
import { rgbaToThumbHash, thumbHashToRGBA } from 'thumbhash'

import { failures } from './sentences.mjs'

const { ORIGIN: origin, TOKEN: token, IMAGE: image, PACKAGE } = process.env
const client = await import(`${PACKAGE}/dist/index.js`)
await import(`${PACKAGE}/dist/elements/index.js`) // a page's elements do no harm where there is no page
const failed = await failures(client, { origin, token, image })

// Placeholders are drawn as the package of their inventor draws them.
const { readThumbHash } = await import(`${PACKAGE}/dist/elements/thumbhash.js`)
for (const [width, height, alpha] of [
  [40, 30, 255],
  [30, 40, 255],
  [10, 90, 255],
  [50, 50, 128],
  [90, 20, 0],
]) {
  const pixels = Uint8Array.from({ length: width * height * 4 }, (_, at) =>
    at % 4 === 3 ? (at % 8 === 3 ? 255 : alpha) : (at * 7919) % 256,
  )
  const hash = rgbaToThumbHash(width, height, pixels)
  const [wanted, found] = [thumbHashToRGBA(hash), readThumbHash(Buffer.from(hash).toString('base64'))]
  const far = wanted.rgba.findIndex((value, at) => Math.abs(value - found.rgba[at]) > 1)
  if (wanted.w !== found.width || wanted.h !== found.height || far >= 0)
    failed.push(`the placeholder of ${width} x ${height}`)
}
console.log(failed.join('\n\n'))
process.exit(failed.length ? 1 : 0)
