// Runs every sentence in this Node; ORIGIN, TOKEN, IMAGE and PACKAGE (where dist is) come from the environment.
import { failures } from './sentences.mjs'

const { ORIGIN: origin, TOKEN: token, IMAGE: image, PACKAGE } = process.env
const client = await import(`${PACKAGE}/dist/index.js`)
const failed = await failures(client, { origin, token, image })
console.log(failed.join('\n\n'))
process.exit(failed.length ? 1 : 0)
