/**
 * The browser's store, under `stowboard.`. It has choices about the console, which stay, and traces of a person's work
 * (under `stowboard.person.`), which are removed when the person signs out. The console also works in a browser that
 * keeps nothing.
 */
const CHOICES = 'stowboard.'
const PERSON = 'stowboard.person.'
/** Files that another application has shared and nobody has agreed to yet (public/worker.js). */
export const SHARED_FILES = 'shared'
/** The name of the note with the channel by which this browser is sent pushes. */
export const PUSH_CHANNEL = 'push'

export const keptChoice = (name: string): string | null => read(CHOICES + name)
export const keepChoice = (name: string, value: string): void => write(CHOICES + name, value)
export const keptOfPerson = (name: string): string | null => read(PERSON + name)
/** Null removes the note. */
export const keepOfPerson = (name: string, value: string | null): void => write(PERSON + name, value)

export async function forgetPerson(): Promise<void> {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PERSON)) localStorage.removeItem(key)
    if ('caches' in window) await caches.delete(SHARED_FILES)
    await navigator.clearAppBadge?.()
  } catch {
    // The browser has kept nothing.
  }
}

/** Hear that the person has signed out in another tab; returns how to stop. */
export function onForgotten(name: string, run: () => void): () => void {
  const listen = ({ key, newValue }: StorageEvent) => {
    if (newValue === null && (key === null || key === PERSON + name)) run()
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // The browser's store is full, or the browser forbids it.
  }
}
