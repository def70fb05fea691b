/** Files that another application of the device has shared. A worker keeps them (public/worker.js). */
import { SHARED_FILES } from '../../api/browser_store'
import { startWorker } from '../../api/worker'

/** Only an installed console can be shared with. */
export function listenToShares(): void {
  if (!matchMedia('(display-mode: standalone)').matches || !('serviceWorker' in navigator)) return
  void startWorker()
}

export async function sharedFiles(): Promise<File[]> {
  if (!('caches' in window)) return []
  const store = await caches.open(SHARED_FILES)
  const answers = await Promise.all((await store.keys()).map((request) => store.match(request)))
  return Promise.all(answers.filter((answer) => answer !== undefined).map(fileOf))
}

export async function forgetShared(): Promise<void> {
  await caches.delete(SHARED_FILES)
}

async function fileOf(answer: Response): Promise<File> {
  const bytes = await answer.blob()
  return new File([bytes], decodeURIComponent(answer.headers.get('x-name') ?? 'file'), { type: bytes.type })
}
