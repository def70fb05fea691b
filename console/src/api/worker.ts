/** The console's worker (public/worker.js), for an installed console and for pushes. */
const WORKER = '/console/worker.js'
/** The worker answers only for its own files. */
const SCOPE = '/console/'

let address: string | null = null

/** Registers it; resolves when it works. */
export async function startWorker(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register((address ??= trusted()))
  const fresh = registration.installing ?? registration.waiting
  await new Promise<void>((resolve) => {
    if (registration.active || !fresh) return resolve()
    fresh.addEventListener('statechange', () => fresh.state === 'activated' && resolve())
  })
  return registration
}

export const findWorker = (): Promise<ServiceWorkerRegistration | undefined> =>
  navigator.serviceWorker.getRegistration(SCOPE)

/** The page's policy allows no other script as a worker. */
function trusted(): string {
  const makers = (
    window as {
      trustedTypes?: { createPolicy: (name: string, rules: object) => { createScriptURL: (text: string) => string } }
    }
  ).trustedTypes
  return makers?.createPolicy('console-worker', { createScriptURL: () => WORKER }).createScriptURL('') ?? WORKER
}
