/**
 * No pattern of the console or of the TypeScript client may hang a page: whatever a text repeats, a pattern is through
 * with it. Each is given the shortest text that leads to one of its parts, 100,000 times that part, and an end that fits
 * or does not. (tests/unit/test_client_patterns.py does the same for the Python client.)
 */
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'

import { type AST, parseRegExpLiteral } from '@eslint-community/regexpp'
import { parse } from 'svelte/compiler'
import ts from 'typescript'
import { expect, test } from 'vitest'

import { readBlocks, tick } from './markdown/blocks'

const REPEATED = 100_000
/** Of the processor's time a pattern that is linear takes milliseconds; one that is not takes five seconds and more. */
const MOST_SECONDS = 2
const STOPPED_MS = 20_000
const ENDS = ['!', 'b\u2028c']
const LETTERS = [
  ' ',
  'a',
  '0',
  '-',
  '\n',
  '\u2028',
  ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
]
const files = Object.keys(
  import.meta.glob(['./**/*.{ts,svelte}', '../public/*.js', '../../sdk/typescript/src/**/*.ts']),
)

function patternsIn(file: string): RegExp[] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8')
  const found: RegExp[] = []
  if (file.endsWith('.svelte')) {
    JSON.stringify(parse(text, { modern: true }), (_, value: { regex?: { pattern: string; flags: string } } | null) => {
      if (value?.regex) found.push(new RegExp(value.regex.pattern, value.regex.flags))
      return value
    })
    return found
  }
  const walk = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      found.push(new RegExp(node.text.slice(1, end), node.text.slice(end + 1)))
    }
    ts.forEachChild(node, walk)
  }
  walk(ts.createSourceFile(file, text, ts.ScriptTarget.Latest))
  return found
}

/** The letters, a few of each kind, that a part of one letter takes. */
function lettersOf(part: AST.Node, flags: string): string[] {
  const taken = LETTERS.filter((letter) => new RegExp(`^(?:${part.raw})$`, flags.replace(/[gy]/g, '')).test(letter))
  return [...new Set([...taken.slice(0, 3), ...taken.slice(-1)])]
}

/** A short text that the part matches; with `full`, what may be left out is there once. */
function sample(part: AST.Node, flags: string, full: boolean): string {
  if (part.type === 'Pattern' || part.type === 'Group' || part.type === 'CapturingGroup')
    return sample(part.alternatives[0]!, flags, full)
  if (part.type === 'Alternative') return part.elements.map((each) => sample(each, flags, full)).join('')
  if (part.type === 'Quantifier')
    return sample(part.element, flags, full).repeat(full ? Math.max(1, part.min) : part.min)
  if (part.type === 'Backreference')
    return [part.resolved]
      .flat()
      .map((each) => sample(each, flags, full))
      .join('')
  if (part.type === 'Assertion') return ''
  return lettersOf(part, flags)[0] ?? ''
}

/** Each part that repeats, as what stands before it and the text that it repeats. */
function repeats(part: AST.Node, flags: string, full: boolean, before = ''): [string, string][] {
  if (part.type === 'Alternative') {
    const at = (index: number) =>
      part.elements
        .slice(0, index)
        .map((each) => sample(each, flags, full))
        .join('')
    return part.elements.flatMap((each, index) => repeats(each, flags, full, before + at(index)))
  }
  if ('alternatives' in part) return part.alternatives.flatMap((each) => repeats(each, flags, full, before))
  if (part.type !== 'Quantifier') return []
  const inner = part.element
  const units =
    'alternatives' in inner ? inner.alternatives.map((each) => sample(each, flags, true)) : lettersOf(inner, flags)
  return [...units.map((unit): [string, string] => [before, unit]), ...repeats(inner, flags, full, before)]
}

function hostileTexts(pattern: RegExp): string[] {
  const { pattern: whole } = parseRegExpLiteral(pattern)
  const parts = [false, true].flatMap((full) => repeats(whole, pattern.flags, full))
  const starts = parts
    .flatMap(([before, unit]) => [
      [before, unit],
      ['', unit],
    ])
    .filter(([, unit]) => unit)
  const begun = new Set(starts.map(([before, unit]) => before! + unit!.repeat(REPEATED / unit!.length)))
  return [...begun].flatMap((text) => ENDS.map((end) => text + end))
}

/** True if this takes far more work than one look at each letter. It is stopped then. */
function hangs(run: () => unknown): boolean {
  const begun = process.cpuUsage()
  try {
    runInNewContext('run()', { run }, { timeout: STOPPED_MS })
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
  }
  return process.cpuUsage(begun).user > MOST_SECONDS * 1e6
}

const isFound = (pattern: RegExp, text: string): unknown =>
  pattern.global ? text.replaceAll(pattern, '') : ((pattern.lastIndex = 0), pattern.test(text))

test('no pattern hangs on a text that repeats what it looks for', { timeout: 300_000 }, () => {
  const patterns = new Map(files.flatMap((file) => patternsIn(file).map((each) => [String(each), each] as const)))
  expect(patterns.size).toBeGreaterThan(50)
  const hung = [...patterns.values()].filter((each) =>
    hostileTexts(each).some((text) => hangs(() => isFound(each, text))),
  )
  expect(hung.map(String)).toEqual([])
})

test('Markdown of any length is read', { timeout: 300_000 }, () => {
  const patterns = ['blocks.ts', 'inline.ts'].flatMap((name) => patternsIn(`./markdown/${name}`))
  const texts = patterns.flatMap(hostileTexts).filter((text) => !text.endsWith(ENDS[0]!))
  texts.push(
    `# a${' '.repeat(REPEATED)}b`,
    `# ${' '.repeat(REPEATED)}x\u2028y`,
    `a|b\n-${' '.repeat(REPEATED)}x`,
    '` '.repeat(REPEATED),
  )
  const hung = texts.filter((text) => hangs(() => (readBlocks(text), tick(text, 0, true))))
  expect(hung.map((text) => JSON.stringify(text.slice(0, 20)))).toEqual([])
})
