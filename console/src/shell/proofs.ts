/** The ways to confirm that it is you. Each throws StowError, or lets the waiting calls go on. */
import { me, queries } from '../api/queries'
import { forgetBearer, sessionCall } from '../api/session'
import { answerWithPasskey } from './passkeys'
import { stepUp } from './step_up.svelte'

/** If two factors are on, a password needs a recovery code beside it. */
export async function byPassword(password: string, code: string): Promise<void> {
  await sessionCall('POST', '/session/step-up', code ? { password, code } : { password })
  if (code) void queries.invalidateQueries({ queryKey: ['recovery-codes'] }) // one code fewer is left
  stepUp.goOn()
}

export async function byPasskey(): Promise<void> {
  const answer = await sessionCall('POST', '/session/step-up/options', {})
  const { data } = (await answer.json()) as { data: { publicKey: PublicKeyCredentialRequestOptionsJSON } }
  await sessionCall('POST', '/session/step-up/passkey', { credential: await answerWithPasskey(data.publicKey) })
  stepUp.goOn()
}

/** A sign-in in another tab, so that nothing typed here is lost. Goes on if the same person has signed in there. */
export async function bySigningIn(): Promise<void> {
  const { account, steppedUp } = await queries.fetchQuery({ ...me(), staleTime: 0 })
  if (account.id !== stepUp.who) return location.reload()
  if (!steppedUp) return
  forgetBearer() // that bearer is of the session before
  stepUp.goOn()
}
