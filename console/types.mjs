// Makes src/api/schema.d.ts, the types of the API, out of what `stowboard openapi` prints. `npm run check` runs it first.
// The file is not kept in git, and the bundle is built without it: only the type check reads it.
// What the console never names is left out: errors (they have one shape), examples, the second name of each task path.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import openapiTS, { astToString } from 'openapi-typescript'

const PROGRAM = process.env.OPENAPI_FROM ?? fileURLToPath(new URL('../.venv/bin/stowboard', import.meta.url))
const document = JSON.parse(execFileSync(PROGRAM, ['openapi'], { encoding: 'utf8', maxBuffer: 2 ** 26 }))
const ALIASES = /^\/(tasks|task-index)(\/|$)/

for (const [path, methods] of Object.entries(document.paths)) {
  if (ALIASES.test(path)) delete document.paths[path]
  else Object.values(methods).forEach(keepWhatIsAnswered)
}
const schemas = document.components.schemas
const parameters = document.components.parameters
document.components = { schemas, parameters }
const types = await openapiTS(document, { alphabetize: true, defaultNonNullable: false })
writeFileSync('src/api/schema.d.ts', astToString(types))

function keepWhatIsAnswered(operation) {
  delete operation.callbacks
  for (const content of Object.values(operation.requestBody?.content ?? {})) dropExamples(content)
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (!status.startsWith('2')) delete operation.responses[status]
    else delete answer.headers
    for (const content of Object.values(answer.content ?? {})) dropExamples(content)
  }
}

function dropExamples(content) {
  delete content.example
  delete content.examples
}
