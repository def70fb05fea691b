/**
 * Important changes need a fresh proof of identity. `proven` and `asAdmin` ask for it if the server wants it; all calls
 * that need it meanwhile wait for the same proof. The ways to prove are in proofs.ts, which is loaded with the dialog.
 */
import { api } from '../api/client'
import { codeOf } from '../api/errors'
import { me, queries } from '../api/queries'
import { becomeAdmin } from '../api/session'

interface Waiting {
  goOn: () => void
  stop: (reason: Error) => void
}

class StepUp {
  #waiting = $state.raw<Waiting[]>([])
  /** The account of the person who was asked. */
  who = ''

  get isAsked(): boolean {
    return this.#waiting.length > 0
  }

  ask(asked: Waiting): void {
    this.#waiting = [...this.#waiting, asked]
    void queries.ensureQueryData(me()).then(({ account }) => (this.who = account.id))
  }

  giveUp(): void {
    for (const { stop } of this.#takeAll()) stop(new Error('You did not confirm that it is you.'))
  }

  /** The proof was given. */
  goOn(): void {
    for (const { goOn } of this.#takeAll()) goOn()
  }

  #takeAll(): Waiting[] {
    const all = this.#waiting
    this.#waiting = []
    return all
  }
}

export const stepUp = new StepUp()

/** Throws StowError, or that the person gave up. */
export async function proven<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (codeOf(error) !== 'step_up_required') throw error
    await new Promise<void>((goOn, stop) => stepUp.ask({ goOn, stop }))
    return act()
  }
}

/** The same, with the scope admin. */
export async function asAdmin<T>(act: () => Promise<T>): Promise<T> {
  await proven(becomeAdmin)
  return proven(act)
}

/** `api` for operations of admins. */
export const adminApi = ((...ask: unknown[]) =>
  asAdmin(() => (api as (...ask: unknown[]) => Promise<unknown>)(...ask))) as typeof api
