/** Acts of an admin need a fresh proof of who one is. `asAdmin` asks for the password where the server wants it. */
import { ApiError } from '../api/errors'
import { becomeAdmin, sessionCall } from '../api/session'

class StepUp {
  /** What to do once it is proven; null while nothing is asked. */
  waiting = $state.raw<{ done: () => void; given: (error: Error) => void } | null>(null)

  async prove(password: string): Promise<void> {
    await sessionCall('POST', '/session/step-up', { password })
    const { waiting } = this
    this.waiting = null
    waiting?.done()
  }

  giveUp(): void {
    this.waiting?.given(new Error('It was not confirmed that it is you.'))
    this.waiting = null
  }
}

export const stepUp = new StepUp()

/** Throws ApiError, or that the person gave up. */
export async function asAdmin<T>(act: () => Promise<T>): Promise<T> {
  try {
    await becomeAdmin()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'step_up_required') throw error
    await new Promise<void>((done, given) => (stepUp.waiting = { done, given }))
    await becomeAdmin()
  }
  return act()
}
