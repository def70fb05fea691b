/** How the console looks on this device: remembered here, never on the server. */
import { keepChoice, keptChoice } from '../api/browser_store'

const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

class Appearance {
  theme = $state<Theme>(stored('theme', THEMES, 'system'))
  view = $state<'grid' | 'list'>(stored('view', ['grid', 'list'] as const, 'grid'))
  foldedNav = $state(stored('nav', ['open', 'folded'] as const, 'open') === 'folded')
}

export const appearance = new Appearance()

/** Called in the outermost component: shows and keeps the choices. */
export function useAppearance(): void {
  $effect(() => {
    if (appearance.theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = appearance.theme
    keepChoice('theme', appearance.theme)
    keepChoice('view', appearance.view)
    keepChoice('nav', appearance.foldedNav ? 'folded' : 'open')
  })
}

export function nextTheme(): void {
  appearance.theme = THEMES[(THEMES.indexOf(appearance.theme) + 1) % THEMES.length]!
}

function stored<T extends string>(name: string, known: readonly T[], otherwise: T): T {
  const value = keptChoice(name) as T | null
  return value !== null && known.includes(value) ? value : otherwise
}
