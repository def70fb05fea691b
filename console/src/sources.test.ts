/** Rules for all sources: small folders, and no module that imports itself by way of others. */
import { expect, test } from 'vitest'

const MOST_FILES = 24
const texts = import.meta.glob<string>('./**/*.{ts,svelte,css}', { query: '?raw', import: 'default', eager: true })
const ENDINGS = ['', '.ts', '.svelte', '.svelte.ts']
/** Imports of any kind, those of types and those that are loaded later too. */
const IMPORTS = /(?:from |import |import\()'(\.[^']+)'/g

function importsOf(name: string): string[] {
  const named = [...texts[name]!.matchAll(IMPORTS)].map(([, path]) => new URL(path!, `x:/${name}`).pathname)
  return named.flatMap((path) => ENDINGS.map((ending) => `.${path}${ending}`).filter((each) => each in texts))
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
  expect(importsOf('./App.svelte')).toContain('./shell/frame/Nav.svelte')
  expect(circle()).toEqual([])
})
