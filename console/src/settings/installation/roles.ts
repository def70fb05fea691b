import type { Schemas } from '../../api/queries'

export const ROLES: [role: Schemas['AccountRole'], words: string][] = [
  ['member', 'Member: own tasks and the shared library'],
  ['admin', 'Admin: also people, tokens and settings'],
]
