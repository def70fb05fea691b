/** One way to change something: it is shown at once; what fails is put back, with the reason and an offer to try again. */
import { sayFailed } from './toasts.svelte'

export interface Change<T> {
  show: () => void
  act: () => Promise<T>
  done: (answer: T) => void
  putBack: () => void
  /** Says what did not happen: "Not saved". */
  failed: string | (() => string)
  /** The action of "Try again"; by default the same change. */
  again?: () => void
}

/** Never throws. */
export async function optimistic<T>(change: Change<T>): Promise<void> {
  const { show, act, done, putBack, failed, again } = change
  show()
  try {
    done(await act())
  } catch (error) {
    putBack()
    const what = typeof failed === 'string' ? failed : failed()
    sayFailed(what, error, again ?? (() => void optimistic(change)))
  }
}
