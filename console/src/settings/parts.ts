/** The parts of the settings, in their order. Each is loaded when it is opened. */
import type { Component } from 'svelte'

export interface Part {
  id: string
  name: string
  load: () => Promise<{ default: Component }>
}

export const OWN: Part[] = [
  { id: 'profile', name: 'Profile', load: () => import('./you/Profile.svelte') },
  { id: 'sign-in', name: 'Signing in', load: () => import('./you/SignIn.svelte') },
  { id: 'sessions', name: 'Sessions', load: () => import('./you/Sessions.svelte') },
  {
    id: 'notifications',
    name: 'Notifications',
    load: () => import('./notifications/Notifications.svelte'),
  },
  { id: 'calendar', name: 'Calendar', load: () => import('./you/Calendar.svelte') },
  { id: 'import', name: 'Import', load: () => import('../importing/Import.svelte') },
  { id: 'encryption', name: 'Sealed texts', load: () => import('./you/Encryption.svelte') },
  { id: 'appearance', name: 'Appearance', load: () => import('./you/Appearance.svelte') },
  { id: 'about', name: 'About', load: () => import('./you/About.svelte') },
]

export const PROGRAMS: Part[] = [
  { id: 'applications', name: 'Connected applications', load: () => import('./you/Applications.svelte') },
  { id: 'tokens', name: 'Access tokens', load: () => import('./you/Tokens.svelte') },
  { id: 'webhooks', name: 'Webhooks', load: () => import('./webhooks/Webhooks.svelte') },
]

export const INSTALLATION: Part[] = [
  { id: 'people', name: 'People', load: () => import('./installation/People.svelte') },
  { id: 'access', name: 'Tokens and clients', load: () => import('./installation/Access.svelte') },
  { id: 'sizes', name: 'Image sizes', load: () => import('./installation/Sizes.svelte') },
  { id: 'storage', name: 'Storage', load: () => import('./installation/Storage.svelte') },
  { id: 'queue', name: 'Queue', load: () => import('./installation/Queue.svelte') },
  { id: 'audit', name: 'Audit log', load: () => import('./installation/Audit.svelte') },
]
