/** What matters most needs a fresh proof of who one is. `proven` and `asAdmin` ask for it where the server wants it. */
import { ApiError } from '../api/errors'
import { me, queries } from '../api/queries'
import { becomeAdmin, forgetBearer, sessionCall } from '../api/session'
import { answerWithPasskey } from './passkeys'

class StepUp {
  /** What to do once it is proven; null while nothing is asked. */
  waiting = $state.raw<{ done: () => void; given: (error: Error) => void } | null>(null)
  #who = ''

  async byPassword(password: string): Promise<void> {
    await sessionCall('POST', '/session/step-up', { password })
    this.#goOn()
  }

  async byPasskey(): Promise<void> {
    const answer = await sessionCall('POST', '/session/step-up/options', {})
    const { data } = (await answer.json()) as { data: { publicKey: PublicKeyCredentialRequestOptionsJSON } }
    await sessionCall('POST', '/session/step-up/passkey', { credential: await answerWithPasskey(data.publicKey) })
    this.#goOn()
  }

  /** In another tab, so that nothing that was typed here is lost. Goes on if it was done, as the same person. */
  async bySigningIn(): Promise<void> {
    const { account, steppedUp } = await queries.fetchQuery({ ...me(), staleTime: 0 })
    if (account.id !== this.#who) return location.reload()
    if (!steppedUp) return
    forgetBearer() // it is of the session before
    this.#goOn()
  }

  ask(asked: NonNullable<StepUp['waiting']>): void {
    this.waiting = asked
    void queries.ensureQueryData(me()).then(({ account }) => (this.#who = account.id))
  }

  giveUp(): void {
    this.waiting?.given(new Error('It was not confirmed that it is you.'))
    this.waiting = null
  }

  #goOn(): void {
    const { waiting } = this
    this.waiting = null
    waiting?.done()
  }
}

export const stepUp = new StepUp()

/** Throws ApiError, or that the person gave up. */
export async function proven<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'step_up_required') throw error
    await new Promise<void>((done, given) => stepUp.ask({ done, given }))
    return act()
  }
}

/** The same, with the scope admin. */
export async function asAdmin<T>(act: () => Promise<T>): Promise<T> {
  await proven(becomeAdmin)
  return proven(act)
}
