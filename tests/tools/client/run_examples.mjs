// Runs the modules that it is given, one after the other, and tells which of them failed.
import { pathToFileURL } from 'node:url'

let failed = 0
for (const file of process.argv.slice(2)) {
  try {
    await import(pathToFileURL(file).href)
  } catch (error) {
    failed += 1
    console.log(file, error)
  }
}
process.exit(failed ? 1 : 0)
