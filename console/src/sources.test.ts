/** Rules for all sources, the client's too: small folders, and no module that imports itself by way of others. */
import { expect, test } from 'vitest'

const MOST_FILES = 24
const found = import.meta.glob<string>(['./**/*.{ts,svelte,css}', '../../sdk/typescript/src/**/*.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
})
const addressOf = (path: string, from = 'x:/console/src/') => new URL(path, from).pathname
const texts = Object.fromEntries(Object.entries(found).map(([path, text]) => [addressOf(path), text]))
const ENDINGS = ['', '.ts', '.svelte', '.svelte.ts']
/** Imports of any kind, those of types and those that are loaded later too. */
const IMPORTS = /(?:from |import |import\()'(\.[^']+)'/g

function importsOf(name: string): string[] {
  const named = [...texts[name]!.matchAll(IMPORTS)].map(([, path]) =>
    addressOf(path!.replace(/\.js$/, ''), `x:${name}`),
  )
  return named.flatMap((path) => ENDINGS.map((ending) => path + ending).filter((each) => each in texts))
}

/** The first circle that is found, as the names along it. */
function circle(): string[] {
  const over = new Set<string>()
  const walk = (name: string, way: string[]): string[] => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name]
    if (over.has(name)) return []
    for (const next of importsOf(name)) {
      const found = walk(next, [...way, name])
      if (found.length) return found
    }
    over.add(name)
    return []
  }
  for (const name of Object.keys(texts)) {
    const found = walk(name, [])
    if (found.length) return found
  }
  return []
}

test(`no folder has more than ${MOST_FILES} files`, () => {
  const counts = new Map<string, number>()
  for (const name of Object.keys(texts)) {
    const folder = name.slice(0, name.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([])
})

test('no circle of imports', () => {
  expect(Object.keys(texts).length).toBeGreaterThan(100)
  expect(importsOf('/console/src/App.svelte')).toContain('/console/src/shell/frame/Nav.svelte')
  expect(importsOf('/sdk/typescript/src/client.ts')).toContain('/sdk/typescript/src/resources.ts')
  expect(circle()).toEqual([])
})
