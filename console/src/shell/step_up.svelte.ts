/**
 * What matters most needs a fresh proof of who one is. `proven` and `asAdmin` ask for it where the server wants it; all
 * that is asked for meanwhile waits for the same proof.
 */
import { ApiError } from '../api/errors'
import { me, queries } from '../api/queries'
import { becomeAdmin, forgetBearer, sessionCall } from '../api/session'
import { answerWithPasskey } from './passkeys'

interface Waiting {
  goOn: () => void
  stop: (reason: Error) => void
}

class StepUp {
  #waiting = $state.raw<Waiting[]>([])
  #who = ''

  get isAsked(): boolean {
    return this.#waiting.length > 0
  }

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

  ask(asked: Waiting): void {
    this.#waiting = [...this.#waiting, asked]
    void queries.ensureQueryData(me()).then(({ account }) => (this.#who = account.id))
  }

  giveUp(): void {
    for (const { stop } of this.#takeAll()) stop(new Error('You did not confirm that it is you.'))
  }

  #goOn(): void {
    for (const { goOn } of this.#takeAll()) goOn()
  }

  #takeAll(): Waiting[] {
    const all = this.#waiting
    this.#waiting = []
    return all
  }
}

export const stepUp = new StepUp()

/** Throws ApiError, or that the person gave up. */
export async function proven<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'step_up_required') throw error
    await new Promise<void>((goOn, stop) => stepUp.ask({ goOn, stop }))
    return act()
  }
}

/** The same, with the scope admin. */
export async function asAdmin<T>(act: () => Promise<T>): Promise<T> {
  await proven(becomeAdmin)
  return proven(act)
}
