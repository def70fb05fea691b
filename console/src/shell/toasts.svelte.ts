/**
 * Short messages at the bottom right, read aloud; each can carry one action (undo, try again). A failure stays until it is
 * closed. Of others only the newest is there; it goes by itself, but not while the pointer or the focus is on it, nor
 * while the tab is hidden.
 */
import { repeat } from '../api/client'
import { mayPass, reasonOf } from '../api/errors'
import { SigningIn } from '../api/session'

export interface Toast {
  id: number
  text: string
  kind: 'done' | 'failed'
  action?: { name: string; run: () => void }
}

const DONE_SECONDS = 6
const ACTION_SECONDS = 12
const timers = new Map<number, ReturnType<typeof setTimeout>>()
let held = false
let last = 0

export const toasts = $state<Toast[]>([])

export function say(text: string, action?: Toast['action']): void {
  show({ id: ++last, text, kind: 'done', action })
}

/** Says what failed and why, and offers to try again where that can help. */
export function sayFailed(what: string, error: unknown, retry?: () => unknown): void {
  if (error instanceof SigningIn) return
  show({
    id: ++last,
    text: `${what}: ${reasonOf(error)}`,
    kind: 'failed',
    action: retry && mayPass(error) ? { name: 'Try again', run: () => void repeat(retry) } : undefined,
  })
}

/** A failure that ends by itself; returns its id, to dismiss it then. */
export function warn(text: string): number {
  show({ id: ++last, text, kind: 'failed' })
  return last
}

/** "Try again" of the newest message, if it offers that. */
export function lastRetry(): (() => void) | null {
  const toast = toasts.at(-1)
  return toast?.kind === 'failed' && toast.action ? () => (dismiss(toast.id), toast.action!.run()) : null
}

export function dismiss(id: number): void {
  const index = toasts.findIndex((toast) => toast.id === id)
  if (index >= 0) toasts.splice(index, 1)
  clearTimeout(timers.get(id))
  timers.delete(id)
}

/** While a person reads messages, none goes. Afterwards each has its whole time again. */
export function hold(reading: boolean): void {
  held = reading
  for (const toast of toasts) expire(toast)
}

function show(toast: Toast): void {
  const before = toast.kind === 'done' && toasts.find(({ kind }) => kind === 'done')
  if (before) dismiss(before.id)
  toasts.push(toast)
  expire(toast)
}

function expire({ id, kind, action }: Toast): void {
  clearTimeout(timers.get(id))
  if (held || kind === 'failed') return
  timers.set(
    id,
    setTimeout(() => dismiss(id), (action ? ACTION_SECONDS : DONE_SECONDS) * 1000),
  )
}
