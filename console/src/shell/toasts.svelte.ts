/** Short messages at the bottom right, read aloud; each can carry one action (undo, try again). */
import { reasonOf } from '../api/errors'
import { SigningIn } from '../api/session'

export interface Toast {
  id: number
  text: string
  kind: 'done' | 'failed'
  action?: { name: string; run: () => void }
}

const DONE_SECONDS = 6
let last = 0

export const toasts = $state<Toast[]>([])

export function say(text: string, action?: Toast['action']): void {
  show({ id: ++last, text, kind: 'done', action })
}

/** Says what failed and why, and offers to try again. */
export function sayFailed(what: string, error: unknown, retry?: () => void): void {
  if (error instanceof SigningIn) return
  show({
    id: ++last,
    text: `${what}: ${reasonOf(error)}`,
    kind: 'failed',
    action: retry && { name: 'Try again', run: retry },
  })
}

/** The action of the newest message that has one: undo, try again. */
export function lastAction(): (() => void) | null {
  const toast = toasts.findLast((each) => each.action)
  return toast ? () => (dismiss(toast.id), toast.action!.run()) : null
}

export function dismiss(id: number): void {
  const index = toasts.findIndex((toast) => toast.id === id)
  if (index >= 0) toasts.splice(index, 1)
}

function show(toast: Toast): void {
  toasts.push(toast)
  // A failure stays until the person has read it.
  if (toast.kind === 'done') setTimeout(() => dismiss(toast.id), DONE_SECONDS * 1000)
}
