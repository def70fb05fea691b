/** Acts of the audit log and background jobs, in words. A test compares the names with those of the service. */
import type { Schemas } from '../../api/queries'

/** What somebody did. The subject, where it says more than the words, is named behind them. */
export const ACTS: Record<string, string> = {
  'account.change': 'changed a profile',
  'account.create': 'created the account',
  'account.delete': 'deleted the account',
  'account.disable': 'disabled the account',
  'account.email': 'changed an e-mail address',
  'account.enable': 'enabled the account',
  'account.password': 'set a new password',
  'account.reset_link': 'made a link for a new password',
  'account.role': 'changed the role of the account',
  'account.sign_in_link': 'made a link that signs in',
  'account.two_factor': 'turned two factors on or off',
  'address.other': 'opened a page at another address than the public one',
  'admin.use': 'asked for an operation of admins',
  'application.create': 'registered an application',
  'application.delete': 'deleted an application',
  'application.register': 'registered an application by itself',
  'asset.bind': 'changed who may sign links to a file',
  'asset.delete': 'deleted a file',
  'asset.transfer': 'transferred files to another space',
  'board.delete': 'deleted a board',
  'board.transfer': 'transferred a board to another space',
  'client.create': 'created a client',
  'client.delete': 'deleted a client',
  'grant.allow': 'allowed an application to act for them',
  'grant.create': 'signed an application in',
  'grant.end': 'ended what an application was allowed',
  'grant.reuse': 'used the code of an application twice',
  'identity.create': 'connected a provider',
  'identity.delete': 'disconnected a provider',
  'installation.backup': 'made a backup',
  'installation.export': 'made an export',
  'invitation.create': 'invited somebody',
  'invitation.delete': 'took an invitation back',
  'job.retry': 'ran a job again',
  'key.rotate': 'made a new signing key',
  'member.add': 'added somebody to a space',
  'member.join': 'joined a space',
  'member.leave': 'left a space',
  'member.remove': 'removed somebody from a space',
  'member.role': 'changed the role of a member',
  'oauth.authorize': 'asked for the consent page of an application',
  'oauth.device': 'asked for a device code',
  'oauth.introspect': 'asked about the token of an application',
  'oauth.revoke': 'asked to end the token of an application',
  'oauth.token': 'asked for the token of an application',
  'passkey.create': 'added a passkey',
  'passkey.delete': 'removed a passkey',
  'passkey.rename': 'renamed a passkey',
  'password.allow': 'allowed passwords for a while',
  'proxy.untrusted': 'sent a request through a proxy that is not trusted',
  'recovery_code.renew': 'made new recovery codes',
  'session.begin': 'signed in',
  'session.end': 'signed out',
  'session.end_others': 'signed out everywhere else',
  'session.step_up': 'confirmed who they are',
  'space.adopt': 'gave a space a manager',
  'space.change': 'changed a space',
  'space.create': 'made a space',
  'space.delete': 'deleted a space',
  'space.restore': 'took a space out of the trash',
  'space.trash': 'put a space in the trash',
  'task.delete': 'deleted a task',
  'ticket.use': 'opened a link that is unknown or used',
  'token.create': 'created an access token',
  'token.revoke': 'revoked an access token',
  'vault_key.change': 'changed the passphrase of sealed texts',
  'vault_key.create': 'set a passphrase for sealed texts',
  'vault_key.delete': 'removed the passphrase of sealed texts',
  'video.delete': 'deleted a video',
  'video.transfer': 'transferred a video to another space',
}

/** What a job does. */
export const JOBS: Record<string, string> = {
  'access.empty_space': 'Delete what was in a space',
  'access.end_grants': 'End what applications were allowed',
  'access.mail_letter': 'Send an e-mail',
  'access.mail_reset': 'Send a link for a new password',
  'access.sweep_applications': 'Remove applications that nobody uses',
  'access.sweep_attempts': 'Remove old sign-in attempts',
  'access.sweep_audit': 'Remove old entries of the audit log',
  'access.sweep_challenges': 'Remove old passkey questions',
  'access.sweep_codes': 'Remove old sign-in codes',
  'access.sweep_devices': 'Remove old device codes',
  'access.sweep_grants': 'Remove ended permissions of applications',
  'access.sweep_provider_requests': 'Remove old requests to the provider',
  'access.sweep_refresh_tokens': 'Remove old refresh tokens',
  'access.sweep_sessions': 'Remove ended sessions',
  'access.sweep_space_invitations': 'Remove old invitations to spaces',
  'access.sweep_tickets': 'Remove old links',
  'media.begin_scrub': 'Begin to check stored files',
  'media.begin_sweep': 'Begin to look for bytes that nothing uses',
  'media.describe': 'Read the details of a picture',
  'media.discard': 'Remove the bytes of a deleted file',
  'media.discard_upload': 'Remove an upload that was not finished',
  'media.expire_uploads': 'End uploads that nobody finished',
  'media.fetch': 'Fetch a file from an address',
  'media.order_stalled': 'Order work again that was lost',
  'media.process': 'Process an uploaded file',
  'media.purge': 'Delete what was in the trash for long',
  'media.rename_tag': 'Rename a tag of media',
  'media.scrub': 'Check stored files',
  'media.sweep': 'Remove bytes that nothing uses',
  'notifications.mail': 'Send a notification by e-mail',
  'notifications.send': 'Send a notification',
  'notifications.sweep': 'Remove old notifications',
  'notifications.sweep_attempts': 'Remove old attempts to send notifications',
  'notifications.sweep_browsers': 'Forget browsers that were not used for long',
  'platform.sweep_changes': 'Remove old changes',
  'platform.sweep_events': 'Remove old events',
  'platform.sweep_progress': 'Remove the progress of finished work',
  'platform.sweep_replies': 'Remove kept answers to repeated requests',
  'platform.sweep_tokens': 'Remove old access tokens',
  'search.fill': 'Fill the search index',
  'search.merge': 'Tidy the search index',
  'tasks.detach': 'Take a deleted file out of tasks',
  'tasks.remind': 'Remind somebody of a task',
  'tasks.rename_tag': 'Rename a tag of tasks',
  'tasks.sweep_keys': 'Remove old keys of repeated requests',
  'tasks.unassign': 'Unassign somebody who left a space',
  'video.make': 'Make the sizes of a video',
  'video.poster_at': 'Take a picture out of a video',
  'webhooks.clear': 'Remove old deliveries of webhooks',
  'webhooks.deliver': 'Deliver an event to a webhook',
  'webhooks.keep_up': 'Order deliveries of webhooks',
}

const MEMBERS: Record<string, string> = {
  method: 'by',
  reason: 'because',
  role: 'role',
  name: 'name',
  kind: 'kind',
  scopes: 'may',
  owner: 'for',
  client: 'application',
  hours: 'hours',
}

export function actOf({ actor, action }: Schemas['AuditEntry']): string {
  return `${actor || 'Somebody'} ${ACTS[action] ?? action}`
}

export const jobOf = (kind: string): string => JOBS[kind] ?? kind

/** The facts of an entry as "by password, role admin". What has no name for people stays as the log has it. */
export function factsOf(data: Record<string, unknown>): string {
  return Object.entries(data)
    .filter(([, value]) => value !== null && value !== '')
    .map(
      ([name, value]) => `${MEMBERS[name] ?? spaced(name)} ${Array.isArray(value) ? value.join(', ') : textOf(value)}`,
    )
    .join(', ')
}

const spaced = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ')
const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
