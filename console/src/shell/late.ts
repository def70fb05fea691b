/** The code of a part, loaded when it is needed. If it does not come, a message says so, and it is asked for again. */
import { back } from '../api/back'
import { SigningIn } from '../api/session'
import { dismiss, warn } from './toasts.svelte'

let waiting = 0
let message = 0

export async function late<T>(load: () => Promise<T>): Promise<T> {
  for (let failed = false; ; await back()) {
    try {
      const found = await load()
      if (failed && --waiting === 0) dismiss(message)
      return found
    } catch (error) {
      if (error instanceof SigningIn) throw error
      if (!failed && ++waiting === 1)
        message = warn('This does not load now. It opens by itself when the server is there; if not, reload the page.')
      failed = true
    }
  }
}
