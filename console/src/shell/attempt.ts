import { tellAtField } from './parts/field_errors'
import { say, sayFailed } from './toasts.svelte'

/** Do it and say so. If it fails, say why: at the field that the reason is about, else with an offer to try again. */
export async function attempt(
  act: () => Promise<unknown>,
  done: string,
  failed: string,
  form: HTMLFormElement | null = null,
): Promise<boolean> {
  try {
    await act()
    if (done) say(done)
    return true
  } catch (error) {
    if (!form || !tellAtField(form, error)) sayFailed(failed, error, () => attempt(act, done, failed, form))
    return false
  }
}
