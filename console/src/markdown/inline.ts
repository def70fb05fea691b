/** Markdown within a line: emphasis, code, links. Anything that is none of these is text. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'em' | 'del'; inside: Inline[] }
  | { kind: 'link'; href: string; inside: Inline[] }
  | { kind: 'break' }

/** Tried in this order at each place; each pattern is sticky and its repeats are bounded. */
const CODE = /(`+)(?!`)([\s\S]{1,2000}?[^`])\1(?!`)/y
const LINK =
  /!?\[((?:\\.|[^[\]\\]){0,1000})\]\(\s{0,9}<?([^\s<>()]{0,2000}(?:\([^\s<>()]{0,500}\)[^\s<>()]{0,500})?)>?(?:\s{1,9}"[^"]{0,500}")?\s{0,9}\)/y
const ADDRESS = /<?(https?:\/\/[^\s<>]{1,2000}[^\s<>.,:;!?'")\]])>?/y
const STRONG = /(\*\*|__)(?=\S)([\s\S]{0,1000}?\S)\1/y
const EMPHASIS = /([*_])(?=[^\s*_])([\s\S]{0,1000}?[^\s*_\\])\1(?![A-Za-z0-9*_])/y
const DELETED = /~~(?=\S)([\s\S]{0,1000}?\S)~~/y
const ESCAPED = /\\([!-/:-@[-`{-~])/y
const BREAK = / *\n/y
const WORD = /[A-Za-z0-9]/
const SAFE = /^(https?:|mailto:)/i
const MOST_DEPTH = 8

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
  for (let at = 0; at < text.length;) {
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
    else if (letter === '`' && (match = take(CODE))) put({ kind: 'code', text: match[2]!.replace(/\s+/g, ' ').trim() })
    else if ((letter === '[' || letter === '!') && (match = take(LINK))) putLink(match[2]!, match[1]! || match[2]!)
    else if ((letter === 'h' || letter === '<') && !midWord && (match = take(ADDRESS)))
      put({ kind: 'link', href: match[1]!, inside: [{ kind: 'text', text: match[1]! }] })
    else if ((letter === '*' || (letter === '_' && !midWord)) && (match = take(STRONG)))
      put({ kind: 'strong', inside: inside(match[2]!) })
    else if ((letter === '*' || letter === '_') && !midWord && (match = take(EMPHASIS)))
      put({ kind: 'em', inside: inside(match[2]!) })
    else if (letter === '~' && (match = take(DELETED))) put({ kind: 'del', inside: inside(match[1]!) })
    else if ((letter === '\n' || letter === ' ') && (match = take(BREAK))) put({ kind: 'break' })
    else {
      plain += letter
      at += 1
    }
  }
  if (plain) found.push({ kind: 'text', text: plain })
  return found

  /** An image is a link too: to load it would tell a stranger who reads this, and when. */
  function putLink(href: string, name: string) {
    const own = href.startsWith('/') && !href.startsWith('//')
    if (own || SAFE.test(href)) put({ kind: 'link', href, inside: inside(name) })
    else put({ kind: 'text', text: name })
  }
}
