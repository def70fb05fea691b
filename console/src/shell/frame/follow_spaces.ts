/** Keeps the list of spaces true, and forgets what was shown of a space that is out of reach. */
import { onEvents } from '../../api/events'
import { me, queries } from '../../api/queries'
import { spaces } from '../../api/spaces.svelte'
import { say, sayFailed } from '../toasts.svelte'

/** A process may know the old members for this long. */
const SETTLED_MS = 1000

/** Returns a function that ends this. */
export function followSpaces(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  void queries.ensureQueryData(me()).then(load, () => {})
  const stop = onEvents('space.', ({ type, data }) => {
    const id = String(data.spaceId ?? '')
    if (type !== 'space.left') void load()
    else if (spaces.find(id)) {
      say(`You are no longer in ${spaces.nameOf(id)}`)
      forget(spaces.drop(id))
    }
    clearTimeout(timer)
    timer = setTimeout(() => void load(), SETTLED_MS)
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}

async function load(): Promise<void> {
  try {
    forget(await spaces.load())
  } catch (error) {
    sayFailed('Your spaces did not load', error, () => void load())
  }
}

/** Everything is forgotten but who the person is, since the keys of answers do not name spaces. */
function forget(isLost: boolean): void {
  if (!isLost) return
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
  spaces.lost += 1
}
