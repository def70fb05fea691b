// Makes dist/: the types of the API, then every module and its declarations by tsc. There is no bundle: a browser takes
// the modules as they are, and a bundler leaves out those that nobody imports.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const MOST_BYTES = 15_000
const run = (...words) => execFileSync(process.execPath, words, { cwd: HERE, stdio: 'inherit' })

rmSync(`${HERE}dist`, { recursive: true, force: true })
run('types.mjs')
// Comments belong to the declarations, where editors show them: a page need not load them.
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
run(tsc, '--emitDeclarationOnly')
run(tsc, '--declaration', 'false', '--removeComments')
mkdirSync(`${HERE}dist`, { recursive: true })
copyFileSync(`${HERE}src/schema.d.ts`, `${HERE}dist/schema.d.ts`)
copyFileSync(fileURLToPath(new URL('../../LICENSE', import.meta.url)), `${HERE}LICENSE`)

const modules = readdirSync(`${HERE}dist`, { recursive: true }).filter((name) => name.endsWith('.js'))
const size = gzipSync(Buffer.concat(modules.map((name) => readFileSync(`${HERE}dist/${name}`)))).length
console.log(`dist: ${modules.length} modules, ${size} bytes gzipped`)
if (size > MOST_BYTES) throw new Error(`The client has ${size} bytes gzipped; at most ${MOST_BYTES} are allowed.`)
