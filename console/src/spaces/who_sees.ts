/** The people who see a thing, in words. */
import { LIBRARY, spaces } from '../api/spaces.svelte'
import type { Visibility } from '../api/media'

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** "Only you see it", "Home: its four members see it", "Everyone with the link sees it". */
export function whoSees(visibility: Visibility, what = 'it', spaceId = spaces.target): string {
  if (visibility === 'public') return `Everyone with the link sees ${what}`
  const space = spaces.find(spaceId)
  if (spaceId === LIBRARY || space?.everyone) return `Everybody with an account here sees ${what}`
  if (!space || space.kind === 'personal') return `Only you see ${what}`
  if (space.members === 1) return `${space.name}: only you see ${what}`
  return `${space.name}: its ${NUMBERS[space.members] ?? space.members} members see ${what}`
}
