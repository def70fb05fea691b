/** This browser as one that is sent pushes: what is in the way, and how it begins and ends. */
import { NotFound } from '@stowboard/client'

import { keepOfPerson, keptOfPerson, PUSH_CHANNEL } from '../api/browser_store'
import { api } from '../api/client'
import { findWorker, startWorker } from '../api/worker'
import { browserOf } from '../settings/you/browser'
import { go } from '../shell/router.svelte'

const IS_APPLE_PHONE =
  /iPhone|iPad|iPod/.test(navigator.userAgent) || (navigator.platform === 'MacIntel' && navigator.maxTouchPoints > 1)
let isListening = false

/** The reason why this browser cannot be told anything, and what to do about it; empty if nothing is in the way. */
export function hindrance(): string {
  if (!isSecureContext)
    return 'This page came over http, but browsers accept notifications only over https. Open the console at its https address, or ask the operator for one.'
  const isInstalled = matchMedia('(display-mode: standalone)').matches
  if (!('PushManager' in window && 'serviceWorker' in navigator && 'Notification' in window))
    return IS_APPLE_PHONE && !isInstalled
      ? 'On an iPhone or iPad, pushes come to the home screen alone (iOS 16.4 or newer). Tap Share, then “Add to Home Screen”; open Stowboard from there and come back to this page.'
      : 'This browser cannot receive notifications. Use a current Firefox, Chrome, Edge or Safari, not in a private window.'
  return Notification.permission === 'denied' ? refused(isInstalled) : ''
}

function refused(isInstalled: boolean): string {
  const browser = browserOf(navigator.userAgent)
  let how = 'Click the sign at the left of the address, open the site’s settings there, and allow notifications.'
  if (IS_APPLE_PHONE && isInstalled) how = 'Open the settings of the device, Notifications, Stowboard, and allow them.'
  else if (browser.startsWith('Firefox'))
    how = 'Click the sign at the left of the address, and remove the block beside “Send notifications”.'
  else if (browser.startsWith('Safari'))
    how = `In the menu choose Safari, Settings, Websites, Notifications, and allow ${location.host}.`
  return `Notifications of this site are blocked in this browser. ${how} Then reload this page.`
}

/** Ask for permission and begin. Throws an Error that says what to do. */
export async function subscribe(): Promise<void> {
  // First of all, while the click counts as the person's wish.
  const permission = await Notification.requestPermission()
  if (permission !== 'granted')
    throw new Error(hindrance() || 'Your browser asked, and got no answer. Try again, and choose “Allow”.')
  const { key } = (await api('get', '/notifications/key')).data
  const { pushManager } = await startWorker()
  await stop()
  const subscription = await pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: key })
    .catch((error: Error) => {
      throw new Error(
        `The browser’s push service refused (${error.message}). It may be turned off in the browser’s settings, or out of reach.`,
      )
    })
  await send(subscription)
  await begin()
}

/** For each start: push services take messages for browsers that are gone, so this one says that it is there. */
export async function begin(): Promise<void> {
  if (!isListening) {
    isListening = true
    navigator.serviceWorker.addEventListener('message', ({ data }) => go((data as { go: string }).go))
    navigator.serviceWorker.startMessages()
  }
  const channel = keptOfPerson(PUSH_CHANNEL)
  const subscription = await (await findWorker())?.pushManager.getSubscription()
  if (!channel || !subscription) return keepOfPerson(PUSH_CHANNEL, null)
  try {
    await api('get', '/notifications/channels/{channel_id}', { path: { channel_id: channel } })
  } catch (error) {
    // The channel was deleted, perhaps from another device. It does not come back by itself.
    if (error instanceof NotFound) await stop()
    return
  }
  await send(subscription)
}

async function send(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON() as { endpoint: string; keys: { p256dh: string; auth: string } }
  const body = { kind: 'push' as const, endpoint, keys, name: browserOf(navigator.userAgent) }
  keepOfPerson(PUSH_CHANNEL, (await api('post', '/notifications/channels', { body })).data.id)
}

/** End pushes to this browser; also called before signing out. */
export async function stop(): Promise<void> {
  const channel = keptOfPerson(PUSH_CHANNEL)
  keepOfPerson(PUSH_CHANNEL, null)
  await (await (await findWorker())?.pushManager.getSubscription())?.unsubscribe()
  if (!channel) return
  await api('delete', '/notifications/channels/{channel_id}', { path: { channel_id: channel } }).catch(
    (error: unknown) => {
      if (!(error instanceof NotFound)) throw error
    },
  )
}
