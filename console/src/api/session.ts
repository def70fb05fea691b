/**
 * The session, and the bearer for the API. The bearer lives in this module alone: the browser keeps nothing but
 * the HttpOnly session, which `POST /session/token` trades for a new one at 80 % of the old one's life.
 */
import { refusalOf, Unreachable } from '@stowboard/client'

import { forgetPerson } from './browser_store'
import { codeOf } from './errors'

const RENEW_AT = 0.8

let bearer: { value: string; renewAt: number; admin: boolean } | null = null
let asking: Promise<string> | null = null
let eventsAt: string | null = null

/** A bearer that is good for a while. Many callers at once share one request. */
export function bearerToken(): Promise<string> {
  if (bearer && Date.now() < bearer.renewAt) return Promise.resolve(bearer.value)
  asking ??= renew().finally(() => (asking = null))
  return asking
}

/** The cursor of the events when this page got its first bearer, before it read anything. */
export async function firstCursor(): Promise<string | null> {
  await bearerToken()
  return eventsAt
}

/** From now on with the scope admin; the server refuses it without a fresh proof of identity. */
export async function becomeAdmin(): Promise<void> {
  if (!bearer?.admin || Date.now() >= bearer.renewAt) await ask(true)
}

export function forgetBearer(): void {
  if (bearer) bearer.renewAt = 0
}

/** Leave for the sign-in page, which leads back here. */
export function goAndSignIn(): never {
  const here = location.pathname + location.search
  location.assign(`/signin?ended=1&next=${encodeURIComponent(here)}`)
  throw new SigningIn()
}

/** The page is being left; nobody needs to hear of an error. */
export class SigningIn extends Error {}

async function renew(): Promise<string> {
  if (!bearer?.admin) return ask(false)
  // The proof of identity may be too old now; a call that needs the scope will ask for it again.
  return ask(true).catch((error: unknown) => {
    if (codeOf(error) === 'step_up_required') return ask(false)
    throw error
  })
}

async function ask(admin: boolean): Promise<string> {
  const answer = await sessionCall('POST', '/session/token', { admin })
  const token = (await answer.json()) as { access_token: string; expires_in: number; events_cursor: string }
  eventsAt ??= token.events_cursor
  bearer = { value: token.access_token, renewAt: Date.now() + token.expires_in * 1000 * RENEW_AT, admin }
  return bearer.value
}

/** A call with the cookie of the session. Throws StowError; without a session it leaves for the sign-in page. */
export async function sessionCall(method: string, path: string, body?: unknown): Promise<Response> {
  const answer = await fetch(path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw new Unreachable('The server cannot be reached.', { cause })
  })
  if (answer.ok) return answer
  const { status, headers } = answer
  const error = refusalOf({ status, header: (name) => headers.get(name), text: await answer.text() })
  if (error.code === 'not_signed_in') goAndSignIn()
  throw error
}

export async function signOut(): Promise<void> {
  await sessionCall('DELETE', '/session')
  await forgetPerson()
  location.assign('/signin')
}

/** End the sessions in all other browsers. */
export async function signOutElsewhere(): Promise<void> {
  await sessionCall('DELETE', '/session/list')
}
