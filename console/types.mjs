// Types of the API out of its OpenAPI document: `stowboard openapi | npm run types`.
// What a console never names is left out: refusals (they have one shape), examples, the second name of each task path.
import { writeFileSync } from 'node:fs'

import openapiTS, { astToString } from 'openapi-typescript'

let given = ''
for await (const piece of process.stdin.setEncoding('utf8')) given += piece
const document = JSON.parse(given)
const ALIASES = /^\/(tasks|task-index)(\/|$)/

for (const [path, methods] of Object.entries(document.paths)) {
  if (ALIASES.test(path)) delete document.paths[path]
  else Object.values(methods).forEach(keepWhatIsAnswered)
}
const schemas = document.components.schemas
const parameters = document.components.parameters
document.components = { schemas, parameters }
const head = '// Made by `npm run types` from the OpenAPI document. Do not edit.\n'
const text = head + astToString(await openapiTS(document, { alphabetize: true, defaultNonNullable: false }))
writeFileSync(process.argv[2] ?? 'src/api/schema.d.ts', text)

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
