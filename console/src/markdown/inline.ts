/** Markdown within a line: emphasis, code, links. Anything that is none of these is text. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'em' | 'del'; inside: Inline[] }
  | { kind: 'link'; href: string; inside: Inline[] }
  | { kind: 'break' }

/** Tried in this order at each place; each pattern is sticky, and its repeats are bounded. */
const MARKS = /`+/y
const SPACES = / */y
const LINK =
  /!?\[((?:\\.|[^[\]\\]){0,1000})\]\(\s{0,9}<?([^\s<>()]{0,2000}(?:\([^\s<>()]{0,500}\)[^\s<>()]{0,500})?)>?(?:\s{1,9}"[^"]{0,500}")?\s{0,9}\)/y
const ADDRESS = /<?(https?:\/\/[^\s<>]{1,2000}[^\s<>.,:;!?'")\]])>?/y
const STRONG = /(\*\*|__)(?=\S)([\s\S]{0,1000}?\S)\1/y
const EMPHASIS = /([*_])(?=[^\s*_])([\s\S]{0,1000}?[^\s*_\\])\1(?![A-Za-z0-9*_])/y
const DELETED = /~~(?=\S)([\s\S]{0,1000}?\S)~~/y
const ESCAPED = /\\([!-/:-@[-`{-~])/y
const WORD = /[A-Za-z0-9]/
const SAFE = /^(https?:|mailto:)/i
const MOST_DEPTH = 8
const MOST_CODE = 2000

export function readInline(text: string, depth = 0): Inline[] {
  const found: Inline[] = []
  let plain = ''
  const put = (item: Inline) => {
    if (plain) found.push({ kind: 'text', text: plain })
    plain = ''
    found.push(item)
  }
  const inside = (part: string) =>
    depth < MOST_DEPTH ? readInline(part, depth + 1) : [{ kind: 'text', text: part } as const]
  let at = 0
  while (at < text.length) {
    const letter = text[at]!
    const take = (pattern: RegExp) => {
      pattern.lastIndex = at
      const match = pattern.exec(text)
      if (match) at = pattern.lastIndex
      return match
    }
    const midWord = at > 0 && WORD.test(text[at - 1]!)
    let match: RegExpExecArray | null = null
    if (letter === '\\' && (match = take(ESCAPED))) plain += match[1]
    else if (letter === '`') putCode(take(MARKS)![0])
    else if ((letter === '[' || letter === '!') && (match = take(LINK))) putLink(match[2]!, match[1]! || match[2]!)
    else if ((letter === 'h' || letter === '<') && !midWord && (match = take(ADDRESS)))
      put({ kind: 'link', href: match[1]!, inside: [{ kind: 'text', text: match[1]! }] })
    else if ((letter === '*' || (letter === '_' && !midWord)) && (match = take(STRONG)))
      put({ kind: 'strong', inside: inside(match[2]!) })
    else if ((letter === '*' || letter === '_') && !midWord && (match = take(EMPHASIS)))
      put({ kind: 'em', inside: inside(match[2]!) })
    else if (letter === '~' && (match = take(DELETED))) put({ kind: 'del', inside: inside(match[1]!) })
    else if (letter === '\n' || letter === ' ') putSpaces(take(SPACES)![0])
    else {
      plain += letter
      at += 1
    }
  }
  if (plain) found.push({ kind: 'text', text: plain })
  return found

  /** To the next marks of the same number. Without them the marks are text. */
  function putCode(marks: string) {
    const rest = text.slice(at, at + MOST_CODE)
    for (const { 0: each, index } of rest.matchAll(/`+/g)) {
      if (each !== marks) continue
      put({ kind: 'code', text: rest.slice(0, index).replace(/\s+/g, ' ').trim() })
      at += index + marks.length
      return
    }
    plain += marks
  }

  function putSpaces(spaces: string) {
    if (text[at] !== '\n') return void (plain += spaces)
    put({ kind: 'break' })
    at += 1
  }

  /** An image is a link too: to load it would tell a stranger who reads this, and when. */
  function putLink(href: string, name: string) {
    const own = href.startsWith('/') && !href.startsWith('//')
    if (own || SAFE.test(href)) put({ kind: 'link', href, inside: inside(name) })
    else put({ kind: 'text', text: name })
  }
}
