/** One way to change something: it is shown at once; what fails is put back, with the reason and an offer to try again. */
import { tellAtField } from './parts/field_errors'
import { sayFailed } from './toasts.svelte'

export interface Change<T> {
  show: () => void
  act: () => Promise<T>
  done: (answer: T) => void
  putBack: () => void
  /** The words for a failure: "Not saved". */
  failed: string | (() => string)
  /** The action of "Try again"; by default the same change. */
  again?: () => unknown
  /** The form with the field that shows a refusal. */
  form?: HTMLFormElement | undefined
}

/** True if it was done; never throws. */
export async function optimistic<T>(change: Change<T>): Promise<boolean> {
  const { show, act, done, putBack, failed, again, form } = change
  show()
  try {
    done(await act())
    return true
  } catch (error) {
    putBack()
    if (form && tellAtField(form, error)) return false
    const what = typeof failed === 'string' ? failed : failed()
    sayFailed(what, error, again ?? (() => optimistic(change)))
    return false
  }
}

/** The same for fields that keep what was typed: it throws if the change was not done. */
export async function shownFirst<T>(
  put: (shown: T) => void,
  before: T,
  shown: T,
  act: () => Promise<T>,
): Promise<void> {
  put(shown)
  try {
    put(await act())
  } catch (error) {
    put(before)
    throw error
  }
}
