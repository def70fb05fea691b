/** A webhook in words. */
import type { Schemas } from '../../api/queries'
import { ago } from '../../shell/words'

export type Webhook = Schemas['WebhookView']
export type Delivery = Schemas['DeliveryView']

const REASONS: Record<Schemas['DisabledReason'], string> = {
  owner: 'Off',
  creator_left: 'Off: the person who made it left the space',
  access: 'Off: the account was disabled, or the application that made it was disconnected',
  gone: 'Off: the address answered that it is gone',
  failing: 'Off: every delivery failed for five days',
}

export const DELIVERY_BADGES: Record<Schemas['DeliveryStatus'], string> = {
  delivered: 'accent',
  pending: '',
  failed: 'danger',
}

export const nameOf = (webhook: Webhook) => webhook.name || webhook.url

/** The state of a webhook in words, and the colour of its badge. */
export function stateOf(webhook: Webhook): [words: string, badge: string] {
  if (!webhook.enabled) return [REASONS[webhook.disabledReason ?? 'owner'], 'warn']
  if (webhook.failingSince !== null) return [`Failing since ${ago(webhook.failingSince)}`, 'danger']
  return ['On', 'accent']
}
