import { say, sayFailed } from './toasts.svelte'

/** Do it and say so; or say why not, and offer it again. */
export async function attempt(act: () => Promise<unknown>, done: string, failed: string): Promise<void> {
  try {
    await act()
    if (done) say(done)
  } catch (error) {
    sayFailed(failed, error, () => void attempt(act, done, failed))
  }
}
