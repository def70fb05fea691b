/** Where the person is: the address is the truth, so that reload, back and links work. Screens are listed in screens.ts. */

class Here {
  path = $state(location.pathname)
  query = $state(new URLSearchParams(location.search))
}

export const here = new Here()

/** Go to an address of the console. With `replace`, going back skips the present one. */
export function go(address: string, { replace = false } = {}): void {
  if (address === location.pathname + location.search) return
  history[replace ? 'replaceState' : 'pushState'](null, '', address)
  read()
}

/** The present address with some parameters changed; null or '' removes one. */
export function withQuery(changes: Record<string, string | null>, path = here.path): string {
  const query = new URLSearchParams(here.query)
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value)
    else query.delete(name)
  }
  const text = query.toString()
  return path + (text ? `?${text}` : '')
}

/** The values of a pattern's parameters (`/media/:id`), or null if the path is another one. */
export function match(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/')
  const given = path.replace(/\/$/, '').split('/')
  if (wanted.length !== given.length) return null
  const values: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index]!
    if (part.startsWith(':')) values[part.slice(1)] = decodeURIComponent(value)
    else if (part !== value) return null
  }
  return values
}

/** Links to the console's own screens are followed without loading the page again. */
export function followLinks(isScreen: (path: string) => boolean): () => void {
  const onClick = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    const link = (event.target as Element).closest('a')
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
    if (!isScreen(link.pathname)) return
    event.preventDefault()
    go(link.pathname + link.search)
  }
  document.addEventListener('click', onClick)
  addEventListener('popstate', read)
  return () => {
    document.removeEventListener('click', onClick)
    removeEventListener('popstate', read)
  }
}

function read(): void {
  here.path = location.pathname
  here.query = new URLSearchParams(location.search)
}
