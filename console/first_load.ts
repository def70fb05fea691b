/**
 * The page and what it loads first. The styles come after the frame that the page carries, so that the frame is painted
 * before them; and a build whose first load, or one of whose screens, is larger than its budget fails.
 */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

import type { Plugin } from 'vite'

const TOKENS = new URL('../src/stowboard/access/pages/files/tokens.css', import.meta.url)
const STYLES = /\s*<link rel="stylesheet"[^>]*>/g
/** In bytes as they are sent: every script and style that the page names itself, and what a screen adds to them. */
export const BUDGET = { page: 80_000, screen: 16_000, screenFiles: 3 }
const SCREENS = /\/(Media|Boards|Board|Tasks|Settings)\.svelte$/

interface Built {
  type: 'chunk' | 'asset'
  fileName: string
  isEntry?: boolean
  facadeModuleId?: string | null
  imports?: string[]
  code?: string
  source?: string | Uint8Array
}

/** What is over the budget, as sentences; nothing if all is well. */
export function overBudget(bundle: Record<string, Built>, budget = BUDGET): string[] {
  const files = Object.values(bundle)
  const withImports = (names: string[]): Set<string> => {
    const found = new Set(names)
    for (const name of found) bundle[name]?.imports?.forEach((each) => found.add(each))
    return found
  }
  const bytes = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + sizeOf(bundle[name]), 0)
  const page = withImports(files.filter((file) => file.isEntry).map((file) => file.fileName))
  files.filter((file) => file.fileName.endsWith('.css')).forEach((file) => page.add(file.fileName))
  const over =
    bytes(page) > budget.page ? [`The page loads ${bytes(page)} bytes first; ${budget.page} are allowed.`] : []
  for (const { facadeModuleId: id, fileName } of files) {
    const name = SCREENS.exec(id ?? '')?.[1]
    if (!name) continue
    const own = [...withImports([fileName])].filter((each) => !page.has(each))
    if (bytes(own) > budget.screen)
      over.push(`The screen ${name} adds ${bytes(own)} bytes; ${budget.screen} are allowed.`)
    if (own.length > budget.screenFiles)
      over.push(`The screen ${name} adds ${own.length} files; ${budget.screenFiles} are allowed: ${own.join(', ')}.`)
  }
  return over
}

export function firstLoad(): Plugin {
  return {
    name: 'first-load',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { server }) => {
        // In production the server does this.
        if (server) return html.replace('<style>', `<style>${readFileSync(TOKENS, 'utf8')}`)
        const styles = (html.match(STYLES) ?? []).join('')
        return html.replace(STYLES, '').replace('</body>', `${styles}\n  </body>`)
      },
    },
    generateBundle: {
      order: 'post', // Vite adds the styles in its own turn
      handler(_, bundle) {
        const over = overBudget(bundle as unknown as Record<string, Built>)
        if (over.length) this.error(over.join(' '))
      },
    },
  }
}

function sizeOf(file: Built | undefined): number {
  return file ? gzipSync(file.code ?? file.source ?? '', { level: 9 }).length : 0
}
