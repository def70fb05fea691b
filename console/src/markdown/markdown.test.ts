import { expect, test } from 'vitest'

import { type Block, readBlocks, tick } from './blocks'
import { type Inline, readInline } from './inline'

/** A short form to read: kinds and what is inside. */
function spell(part: Block | Inline): string {
  if (part.kind === 'text') return part.text
  if (part.kind === 'code') return `code(${part.text})`
  if (part.kind === 'link') return `link(${part.href} ${part.inside.map(spell).join('')})`
  if (part.kind === 'list')
    return `list(${part.items.map(({ checked, blocks }) => (checked === null ? '' : checked ? '[x]' : '[ ]') + blocks.map(spell).join(' ')).join(', ')})`
  if (part.kind === 'quote') return `quote(${part.blocks.map(spell).join(' ')})`
  if (part.kind === 'table')
    return `table(${[part.head, ...part.rows].map((row) => row.map((cell) => cell.map(spell).join('')).join('|')).join(' / ')})`
  if ('inside' in part) return `${part.kind}(${part.inside.map(spell).join('')})`
  return part.kind
}
const blocks = (text: string) => readBlocks(text).map(spell).join(' ')
const inline = (text: string) => readInline(text).map(spell).join('')

test('what people write becomes elements', () => {
  expect(blocks('# Plan\n\nSome **bold** and *soft* text\nin two lines')).toBe(
    'heading(Plan) paragraph(Some strong(bold) and em(soft) textbreakin two lines)',
  )
  expect(blocks('- [ ] milk\n- [x] bread\n  - rye\n- none')).toBe(
    'list([ ]paragraph(milk), [x]paragraph(bread) list(paragraph(rye)), paragraph(none))',
  )
  expect(blocks('1. one\n2. two\n\nafter')).toBe('list(paragraph(one), paragraph(two)) paragraph(after)')
  expect(blocks('> said\n> so\n\n```js\nlet a = "*b*"\n```\n---')).toBe(
    'quote(paragraph(saidbreakso)) code(let a = "*b*") rule',
  )
  expect(blocks('| a | b |\n|---|:-:|\n| 1 | *2* |')).toBe('table(a|b / 1|em(2))')
  expect(inline('`x`')).toBe('code(x)')
  expect(inline('~~old~~ `a * b` snake_case_name 2*3*4 \\*not\\*')).toBe(
    'del(old) code(a * b) snake_case_name 2*3*4 *not*',
  )
})

test('links lead to the web, to mail and into the console, and nothing is loaded', () => {
  expect(inline('[site](https://a.example/b_(c)) <https://a.example> https://a.example/x.')).toBe(
    'link(https://a.example/b_(c) site) link(https://a.example https://a.example) link(https://a.example/x https://a.example/x).',
  )
  expect(inline('![spy](https://a.example/pixel.gif)')).toBe('link(https://a.example/pixel.gif spy)')
  expect(inline('[x](javascript:alert(1)) [y](data:text/html,hi) [z](//a.example)')).toBe('x y z')
  expect(inline('[in](/media/ast_1) <img src=x onerror=alert(1)>')).toBe(
    'link(/media/ast_1 in) <img src=x onerror=alert(1)>',
  )
})

test('a box is ticked in its own line, and nothing else changes', () => {
  const text = '# Shop\r\n- [ ] milk\r\n  1. [x] rye\n> - [ ] quoted\n- no box [ ] here'
  expect(tick(text, 1, true)).toBe(text.replace('[ ] milk', '[x] milk'))
  expect(tick(text, 2, false)).toBe(text.replace('[x] rye', '[ ] rye'))
  expect(tick(text, 3, true)).toBe(text.replace('[ ] quoted', '[x] quoted'))
  expect(tick(text, 4, true)).toBeNull()
  const lines = readBlocks(text).flatMap((block) => (block.kind === 'list' ? block.items.map(({ line }) => line) : []))
  expect(lines).toEqual([1, 4])
})

test('hostile text is read to its end', () => {
  for (const part of ['*', '_', '[', '`', '~~', '![', '> ', '- ', '<http://', '**a ', '](', '|'])
    expect(readBlocks(part.repeat(5000))).not.toEqual([])
  expect(readBlocks('> '.repeat(50) + '- '.repeat(5000))).not.toEqual([])
})
