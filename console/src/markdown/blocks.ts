/**
 * Markdown as people write it in tasks: headings, lists, boxes to tick, quotes, code, tables, rules and paragraphs. It is
 * read into data and shown as elements, so no HTML of the text is ever HTML of the page.
 */
import { type Inline, readInline } from './inline'

export interface Item {
  /** True if its box is ticked; null if it has no box. */
  checked: boolean | null
  /** The line of the whole text in which the item begins. */
  line: number
  blocks: Block[]
}

export type Block =
  | { kind: 'heading'; level: number; inside: Inline[] }
  | { kind: 'paragraph'; inside: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; start: number | null; items: Item[] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' }

interface Line {
  text: string
  number: number
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})(?=\s|$)/
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/
const QUOTE = /^ {0,3}> ?/
const ITEM = /^( {0,3})([-*+]|(\d{1,9})[.)])(\s+|$)/
const BOX = /^\[([ xX])\](?=\s)\s*/
const DIVIDED = /^:?-+:?$/
const BEGINS = [FENCE, HEADING, RULE, QUOTE, ITEM]
const MOST_DEPTH = 8

export function readBlocks(text: string): Block[] {
  const lines = text.replace(/\r\n?/g, '\n').replaceAll('\t', '    ').split('\n')
  return read(
    lines.map((line, number) => ({ text: line, number })),
    0,
  )
}

/** The text with the box in this line ticked, or not; null if the line has none. */
export function tick(text: string, line: number, checked: boolean): string | null {
  const lines = text.split(/(?<=\n)/)
  const before = lines[line]
  const after = before?.replace(/^([\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)+\[)[ xX](\])/, `$1${checked ? 'x' : ' '}$2`)
  if (!before || after === before) return null
  lines[line] = after!
  return lines.join('')
}

function read(lines: Line[], depth: number): Block[] {
  const found: Block[] = []
  for (let at = 0; at < lines.length;) {
    const line = lines[at]!.text
    const heading = HEADING.exec(line)
    if (!line.trim()) at += 1
    else if (FENCE.test(line)) at = readCode(at)
    else if (heading) {
      const words = withoutMarks(line.slice(heading[0].length).trim())
      found.push({ kind: 'heading', level: heading[1]!.length, inside: readInline(words) })
      at += 1
    } else if (RULE.test(line)) {
      found.push({ kind: 'rule' })
      at += 1
    } else if (QUOTE.test(line) && depth < MOST_DEPTH) at = readQuote(at)
    else if (ITEM.test(line) && depth < MOST_DEPTH) at = readList(at)
    else if (line.includes('|') && isDivider(lines[at + 1]?.text ?? '')) at = readTable(at)
    else at = readParagraph(at)
  }
  return found

  function readCode(from: number): number {
    const fence = FENCE.exec(lines[from]!.text)![1]!
    let to = from + 1
    while (to < lines.length && !closes(lines[to]!.text, fence)) to += 1
    const text = lines.slice(from + 1, to).map((each) => each.text)
    found.push({ kind: 'code', text: text.join('\n') })
    return to + 1
  }

  function readQuote(from: number): number {
    let to = from
    while (to < lines.length && QUOTE.test(lines[to]!.text)) to += 1
    const inside = lines.slice(from, to).map(({ text, number }) => ({ text: text.replace(QUOTE, ''), number }))
    found.push({ kind: 'quote', blocks: read(inside, depth + 1) })
    return to
  }

  /** An item ends where a line is less indented than its text, unless it goes on with its paragraph. */
  function readList(from: number): number {
    const first = ITEM.exec(lines[from]!.text)!
    const items: Item[] = []
    let at = from
    for (;;) {
      const marker = lines[at] && ITEM.exec(lines[at]!.text)
      if (!marker || (marker[3] === undefined) !== (first[3] === undefined) || RULE.test(lines[at]!.text)) break
      const { text, number } = lines[at]!
      const indent = marker[0].length
      const own: Line[] = [{ text: text.slice(indent), number }]
      for (at += 1; at < lines.length; at += 1) {
        const { text: next, number: where } = lines[at]!
        const indented = /^ */.exec(next)![0].length
        const lazy = next.trim() && own.at(-1)!.text.trim() && !BEGINS.some((pattern) => pattern.test(next))
        if (next.trim() && indented < Math.min(indent, 2) && !lazy) break
        if (next.trim() && indented < indent && ITEM.test(next) && indented <= marker[1]!.length + 1) break
        own.push({ text: next.slice(Math.min(indented, indent)), number: where })
      }
      while (own.length > 1 && !own.at(-1)!.text.trim()) own.pop()
      const box = BOX.exec(own[0]!.text)
      if (box) own[0]!.text = own[0]!.text.slice(box[0].length)
      items.push({ checked: box ? box[1] !== ' ' : null, line: number, blocks: read(own, depth + 1) })
    }
    found.push({ kind: 'list', start: first[3] === undefined ? null : Number(first[3]), items })
    return at
  }

  function readTable(from: number): number {
    let to = from + 2
    while (to < lines.length && lines[to]!.text.includes('|')) to += 1
    const rows = lines.slice(from + 2, to).map((each) => cellsOf(each.text))
    found.push({ kind: 'table', head: cellsOf(lines[from]!.text), rows })
    return to
  }

  function readParagraph(from: number): number {
    let to = from + 1
    while (to < lines.length && lines[to]!.text.trim() && !BEGINS.some((pattern) => pattern.test(lines[to]!.text)))
      to += 1
    const text = lines.slice(from, to).map((each) => each.text.trimStart())
    found.push({ kind: 'paragraph', inside: readInline(text.join('\n').trimEnd()) })
    return to
  }
}

function closes(line: string, fence: string): boolean {
  const text = line.trim()
  return text.length >= fence.length && [...text].every((letter) => letter === fence[0])
}

/** The words of a heading, without the marks that may stand behind them. */
function withoutMarks(words: string): string {
  let end = words.length
  while (words[end - 1] === '#') end -= 1
  return end === 0 || words[end - 1]!.trim() === '' ? words.slice(0, end).trimEnd() : words
}

function isDivider(line: string): boolean {
  return cut(line).every((cell) => DIVIDED.test(cell))
}

function cellsOf(line: string): Inline[][] {
  return cut(line).map((cell) => readInline(cell.replaceAll('\\|', '|')))
}

function cut(line: string): string[] {
  const cells = line.trim().replace(/^\||\|$/g, '')
  return cells.split(/(?<!\\)\|/).map((cell) => cell.trim())
}
