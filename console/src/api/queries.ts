/** Answers of the API, kept while a screen needs them. Keys are lists that begin with the noun: `['asset', id]`. */
import type { Schemas } from '@stowboard/client'
import { QueryClient } from '@tanstack/svelte-query'

import { again } from './back'
import { onEvents } from './events'
import { api, stow } from './client'
import { sessionCall } from './session'
import { gather } from './gather'
import { spaces } from './spaces.svelte'

export type { Schemas }

export const queries = new QueryClient({
  defaultOptions: {
    // No retries here: calls repeat by themselves where that helps (client.ts), and events tell changes (events.ts).
    queries: { retry: false, staleTime: 30_000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
})

queries.getQueryCache().subscribe(({ type, query }) => {
  const { error } = query.state
  if (type !== 'updated' || !error || query.state.fetchStatus !== 'idle') return
  again(error, () => query.state.error === error && query.isActive() && void query.fetch().catch(() => {}))
})

export interface Me {
  account: Schemas['AccountView']
  session: { method: string }
  steppedUp: boolean
  version: string
}

export const me = () => ({
  queryKey: ['me'],
  queryFn: async () => ((await (await sessionCall('GET', '/session')).json()) as { data: Me }).data,
  staleTime: Infinity,
})

export const mediaTags = (spaceId = spaces.target) => ({
  queryKey: ['media-tags', spaceId],
  queryFn: async () => (await api('get', '/media/tags', { query: { limit: 100, spaceId } })).data,
})

export const transformClasses = () => ({
  queryKey: ['transform-classes'],
  queryFn: async () => (await api('get', '/media/transform-classes')).data,
  staleTime: Infinity,
})

/** The types that count as images, and how large a file may be. */
export const mediaLimits = () => ({
  queryKey: ['media-limits'],
  queryFn: () => stow.setup(),
  staleTime: Infinity,
})

/** While a component is shown, events whose type begins with this make these answers old, at most once a second. */
export function staleOn(prefix: string, queryKey: readonly unknown[]): () => void {
  const changed = gather(0, () => queries.invalidateQueries({ queryKey }), 1000)
  const stop = onEvents(prefix, () => changed.add(prefix))
  return () => (stop(), changed.stop())
}
