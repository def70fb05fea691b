// Makes src/schema.d.ts, the types of the API, out of what `stowboard openapi` prints. git ignores the file.
// Errors have one shape, so their answers are left out; their codes become one type. Left out, too: examples, the second
// name of each task path, and addresses outside of the JSON API, which have a server of their own in the document.
// The packages are those of the folder in which it is run: the console makes the same types.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const { default: openapiTS, astToString } = createRequire(`${process.cwd()}/`)('openapi-typescript')
const OUT = new URL('src/schema.d.ts', import.meta.url)
const ALIASES = /^\/(tasks|task-index)(\/|$)/

const document = JSON.parse(read())
const codes = codesOf(document.components.responses)
for (const [path, methods] of Object.entries(document.paths)) {
  if (ALIASES.test(path) || Object.values(methods).some(({ servers }) => servers)) delete document.paths[path]
  else Object.values(methods).forEach(keepWhatIsAnswered)
}
const { schemas, parameters } = document.components
document.components = { schemas, parameters }
delete document.webhooks
const types = await openapiTS(document, { alphabetize: true, defaultNonNullable: false })
const union = codes.map((code) => `\n  | '${code}'`).join('')
writeFileSync(OUT, `${astToString(types)}\n/** Codes of errors in this version. */\nexport type KnownCode =${union}\n`)

/** OPENAPI names a file with the document, OPENAPI_FROM another program that prints it. */
function read() {
  if (process.env.OPENAPI) return readFileSync(process.env.OPENAPI, 'utf8')
  const program = process.env.OPENAPI_FROM ?? fileURLToPath(new URL('../../.venv/bin/stowboard', import.meta.url))
  return execFileSync(program, ['openapi'], { encoding: 'utf8', maxBuffer: 2 ** 26 })
}

function codesOf(responses) {
  const contents = Object.values(responses).flatMap((response) => Object.values(response.content ?? {}))
  return [...new Set(contents.flatMap(({ examples }) => Object.keys(examples ?? {})))].sort()
}

function keepWhatIsAnswered(operation) {
  delete operation.callbacks
  for (const content of Object.values(operation.requestBody?.content ?? {})) dropExamples(content)
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (!status.startsWith('2')) delete operation.responses[status]
    else for (const part of ['headers', 'links']) delete answer[part]
    for (const content of Object.values(answer.content ?? {})) dropExamples(content)
  }
}

function dropExamples(content) {
  delete content.example
  delete content.examples
}
