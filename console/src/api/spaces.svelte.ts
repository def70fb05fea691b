/** The spaces of the person, the one that is open, and what the person may do in each: asked here alone. */
import type { Space } from '@stowboard/client'

import { keepOfPerson, keptOfPerson } from './browser_store'
import { stow } from './client'

export type { Space }
export type SpaceRole = Space['role']

/** Each may do what those before it may. */
export const SPACE_ROLES: [role: SpaceRole, words: string][] = [
  ['viewer', 'Viewer: sees everything'],
  ['commenter', 'Commenter: sees and comments'],
  ['editor', 'Editor: adds, changes and deletes'],
  ['manager', 'Manager: also chooses the people'],
]
const KEPT = 'space'
const OWN = 'own'
export const ALL = 'all'
export const LIBRARY = 'spc_library'

class Spaces {
  /** An id, or one of the words `own` and `all`: what lists ask for. */
  open = $state(keptOfPerson(KEPT) ?? OWN)
  list = $state.raw<Space[]>([])
  /** Grows when a space is out of reach from now on: then every screen begins again. */
  lost = $state(0)
  #reached = new Set<string>()

  /** Where new things go. */
  get target(): string {
    return this.open === ALL ? OWN : this.open
  }

  /** The open space as tasks and boards have it: the Library is for media, and one's own tasks are shown there. */
  get openForTasks(): string {
    return this.open === LIBRARY ? OWN : this.open
  }

  /** The shared spaces that are not in the trash, without the Library. */
  get shared(): Space[] {
    return this.list.filter(({ id, kind, trashedAt }) => kind === 'shared' && trashedAt === null && id !== LIBRARY)
  }

  choose(id: string): void {
    this.open = isOwn(id) ? OWN : id
    keepOfPerson(KEPT, this.open === OWN ? null : this.open)
  }

  find(id: string): Space | null {
    return this.list.find((space) => space.id === id) ?? null
  }

  nameOf(id: string): string {
    if (id === ALL) return 'All spaces'
    return isOwn(id) ? 'My space' : (this.find(id)?.name ?? '')
  }

  /** The name of the space of a row, where rows of several are shown. */
  label(id: string): string {
    return this.open === ALL ? this.nameOf(id) : ''
  }

  /** True if what is in this space belongs to the lists that are shown. */
  shows(id: string, open = this.open): boolean {
    return open === ALL || (open === OWN ? isOwn(id) : open === id)
  }

  may(id: string, role: SpaceRole = 'editor'): boolean {
    const rank = (each?: SpaceRole) => SPACE_ROLES.findIndex(([name]) => name === each)
    return isOwn(id) || rank(this.find(id)?.role) >= rank(role)
  }

  /** True if the person is in it now. At the end of an effect Svelte answers `list` as it was before the change. */
  isReached(id: string): boolean {
    return isOwn(id) || this.#reached.has(id)
  }

  /** Resolves to true if a space is out of reach now. Throws StowError. */
  async load(): Promise<boolean> {
    return this.#show(await stow.spaces.list({ limit: 100 }).all())
  }

  /** The same for a space that the person is no longer a member of. */
  drop(id: string): boolean {
    return this.#show(this.list.filter((space) => space.id !== id))
  }

  #show(found: Space[]): boolean {
    const reached = (this.#reached = new Set(found.filter((space) => space.trashedAt === null).map(({ id }) => id)))
    const isLost = this.list.some(({ id, trashedAt }) => trashedAt === null && !reached.has(id))
    this.list = found
    if (this.open !== OWN && this.open !== ALL && !reached.has(this.open)) this.choose(OWN)
    return isLost
  }
}

const isOwn = (id: string): boolean => id === OWN || id.startsWith('~')

export const spaces = new Spaces()
