/**
 * Search over everything by the typed text. The server finds tasks and media; boards, spaces and their people are found
 * by name here. A half-typed query, such as a lone quote, changes nothing: the results before it stay.
 */
import { Invalid } from '@stowboard/client'

import { stow } from '../api/client'
import { reasonOf } from '../api/errors'
import { assetEntry, type Entry, videoEntry } from '../api/media'
import { queries, type Schemas } from '../api/queries'
import { ALL, spaces } from '../api/spaces.svelte'
import { boardList } from '../api/tasks'
import { rank } from '../shell/commands/ranking'
import { go } from '../shell/router.svelte'

/** A line of a list from which one is chosen. */
export interface Choice {
  id: string
  name: string
  /** The word at its right: what kind of thing it is. */
  group: string
  keys?: string | string[]
  entry?: Entry
  /** The board of a task. */
  boardId?: string | undefined
  run: () => void
}

export type FoundType = 'task' | 'board' | 'media'

const PAUSE_MS = 150
const MOST = 12
/** The most boards that are shown, and the most people and spaces. */
const NAMED = 4
/** The advice for a search that was too broad. */
export const ADD_A_WORD = 'Only the newest part was searched. Add a word to find the rest.'
/** The most spaces whose people are known, and the time for which they are. */
const SPACES = 20
const KNOWN_MS = 60_000

export class Everything {
  found = $state.raw<Choice[]>([])
  /** The text that was looked for without a result; empty while the person types on. */
  nothing = $state('')
  /** True if the server did not look at everything before it answered: a further word helps. */
  broad = $state(false)
  failed = $state('')
  #asking: AbortController | null = null

  /** Search among these types, without the tasks of a board that the screen shows. Only the last call counts. */
  look(text: string, types: FoundType[] = ['task', 'board', 'media'], shownBoard?: string): void {
    this.#asking?.abort()
    this.failed = ''
    this.nothing = ''
    this.broad = false
    const q = text.trim()
    if (!q) {
      this.found = []
      return
    }
    const asking = (this.#asking = new AbortController())
    setTimeout(() => void this.#ask(q, types, shownBoard, asking.signal), PAUSE_MS)
  }

  stop(): void {
    this.#asking?.abort()
    this.found = []
  }

  async #ask(q: string, types: FoundType[], shownBoard: string | undefined, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    // Quotes belong to the query, not to names.
    const name = q.replace(/["\s]+/g, ' ').trim()
    try {
      const [boards, people, hits] = await Promise.all([
        types.includes('board') && name ? findBoards(name) : [],
        name ? findPeople(name) : [],
        types.some((type) => type !== 'board') ? findHits(q, types, signal) : NO_HITS,
      ])
      if (signal.aborted) return
      this.found = [...boards, ...people, ...hits.choices.filter(({ boardId }) => !boardId || boardId !== shownBoard)]
      this.broad = hits.broad
      this.nothing = this.found.length ? '' : q
    } catch (error) {
      if (!signal.aborted && !(error instanceof Invalid)) this.failed = reasonOf(error)
    }
  }
}

async function findBoards(q: string): Promise<Choice[]> {
  const boards = await queries.ensureQueryData(boardList(ALL))
  return rank(
    boards.map(({ id, name }) => ({ id, name, group: 'Board', run: () => go(`/boards/${id}`) })),
    q,
    2,
  ).slice(0, NAMED)
}

/** Shared spaces, and the people in them. A person is listed for each space that both are in. */
async function findPeople(q: string): Promise<Choice[]> {
  const shared = spaces.shared.slice(0, SPACES)
  const people = await Promise.all(shared.map(({ id }) => queries.fetchQuery(peopleOf(id)).catch(() => [])))
  const choices = shared.flatMap(({ id, name }, at) => [
    { id, name, group: 'Space', run: () => (spaces.choose(id), go('/boards')) },
    ...people[at]!.map(({ username, displayName }) => ({
      id: `${id} ${username}`,
      name: `${displayName || username}, in ${name}`,
      group: 'Person',
      run: () => go(`/spaces/${id}`),
    })),
  ])
  return rank(choices, q, 2).slice(0, NAMED)
}

const peopleOf = (id: string) => ({
  queryKey: ['people', id],
  queryFn: () => stow.spaces.members(id),
  staleTime: KNOWN_MS,
  retry: false,
})

interface Hits {
  choices: Choice[]
  broad: boolean
}

const NO_HITS: Hits = { choices: [], broad: false }

async function findHits(q: string, types: FoundType[], signal: AbortSignal): Promise<Hits> {
  const wanted = [...(types.includes('task') ? ['task'] : []), ...(types.includes('media') ? ['asset', 'video'] : [])]
  const query = { q: q.slice(0, 200), types: wanted.join(','), sort: 'relevance' as const, limit: MOST, spaceId: ALL }
  const { data, next } = await stow.list('/search', query, { signal }).page()
  return { choices: data.map(choiceOf), broad: next !== null && data.length < MOST }
}

function choiceOf({ task, asset, video }: Schemas['HitView']): Choice {
  if (task) {
    const run = () => go(`/tasks/${task.id}?view=all`)
    return { id: task.id, name: task.title, group: 'Task', boardId: task.placement?.boardId, run }
  }
  const entry = asset ? assetEntry(asset) : videoEntry(video!)
  const group = { image: 'Image', file: 'File', video: 'Video' }[entry.kind]
  return { id: entry.id, name: entry.name, group, entry, run: () => go(`/media/${entry.id}`) }
}
