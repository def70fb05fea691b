/** A channel in words. */
import { keptOfPerson, PUSH_CHANNEL } from '../../api/browser_store'
import { api } from '../../api/client'
import type { Schemas } from '../../api/queries'
import { sayFailed, say } from '../../shell/toasts.svelte'
import { ago } from '../../shell/words'

export type Channel = Schemas['ChannelView']
export type Format = Exclude<Schemas['ChannelFormat'], 'webpush'>

/** Each format with an example of its address, and the words for its secret: empty if it has none. */
export const FORMATS: [format: Format, name: string, example: string, secret: string][] = [
  ['ntfy', 'ntfy', 'https://ntfy.sh/my-topic', 'Access token, if the server wants one'],
  ['gotify', 'Gotify', 'https://gotify.example.com', 'Token of the application'],
  ['slack', 'Slack, Mattermost or Discord', 'https://hooks.slack.com/services/…', ''],
  ['matrix', 'Matrix', 'https://matrix.example.org/_matrix/client/v3/rooms/!room:example.org', 'Access token'],
  ['json', 'JSON, signed', 'https://example.com/in', 'Secret that signs; the receiver verifies with it'],
]

export const isThisBrowser = (channel: Channel) => channel.id === keptOfPerson(PUSH_CHANNEL)

export const channelName = (channel: Channel) => channel.name || channel.host

/** The state of a channel in words, and the colour of its badge. */
export function channelState(channel: Channel): [words: string, badge: string] {
  if (channel.offReason !== null) return ['Off', 'warn']
  if (channel.failingSince !== null) return [`Failing since ${ago(channel.failingSince)}`, 'danger']
  return ['On', 'accent']
}

/** Sends a test and shows the result. */
export async function testChannel(channel: Channel): Promise<void> {
  try {
    const path = { channel_id: channel.id }
    const [last] = (await api('post', '/notifications/channels/{channel_id}/test', { path })).data.log
    if (last?.status && last.status < 300) say(`The test was sent: ${channelName(channel)} answered ${last.status}`)
    else sayFailed('The test failed', new Error(last?.error || `${channel.host} answered ${last?.status}`))
  } catch (error) {
    sayFailed('The test failed', error)
  }
}
