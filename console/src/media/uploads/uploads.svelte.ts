/**
 * All uploads of this tab: a few at a time, whatever screen is shown. An upload that can be continued is remembered
 * across a reload until the person signs out, and goes on when the same file is chosen again.
 */
import { again } from '../../api/back'
import { keepChoice, keepOfPerson, keptChoice, keptOfPerson, onForgotten } from '../../api/browser_store'
import { api, stow } from '../../api/client'
import { isVideoId } from '../../api/media'
import { spaces } from '../../api/spaces.svelte'
import { say, sayFailed } from '../../shell/toasts.svelte'
import { canCheck, findTwins } from './twins'
import { type State, type UnfinishedUpload, Upload, type UploadChoices } from './upload.svelte'

const AT_ONCE = 3
/** In the first look for twins, so that sending begins soon, and in each further one. */
const CHECKED_AT_ONCE = [10, 50]
const STORE = 'uploads'
const ORDER: State[][] = [['failed'], ['lost', 'there'], ['sending', 'paused'], ['checking', 'waiting'], ['done']]

class Uploads {
  all = $state<Upload[]>(remembered().map((kept) => new Upload(kept)))
  /** The choices for uploads that are added from now on. */
  choices = $state<UploadChoices>(rememberedChoices())
  #listeners = new Set<(id: string) => void>()

  get open(): boolean {
    return this.all.length > 0
  }

  get sending(): Upload[] {
    return this.all.filter((upload) => ['checking', 'waiting', 'sending'].includes(upload.state))
  }

  get failed(): Upload[] {
    return this.all.filter((upload) => upload.state === 'failed')
  }

  /** As they are shown: what needs the person first, then what is on its way, then the rest. */
  get inOrder(): Upload[] {
    const place = (upload: Upload) => ORDER.findIndex((states) => states.includes(upload.state))
    return this.all.toSorted((a, b) => place(a) - place(b))
  }

  /** The progress of all uploads in the tray, from 0 to 1. */
  get progress(): number {
    const total = this.all.reduce((sum, upload) => sum + upload.size, 0)
    return total === 0 ? 1 : this.all.reduce((sum, upload) => sum + upload.sent, 0) / total
  }

  choose(choices: Partial<UploadChoices>): void {
    this.choices = { ...this.choices, ...choices }
    keepChoice('upload.visibility', this.choices.visibility)
    keepChoice('upload.place', this.choices.stripLocation ? 'left out' : 'kept')
  }

  add(files: Iterable<File>, spaceId = spaces.target, arrived?: (id: string) => void): void {
    const added: Upload[] = []
    for (const file of files) {
      const lost = this.all.find((upload) => upload.state === 'lost' && upload.isSame(file))
      const upload = lost ?? new Upload(file, this.choices, spaceId)
      upload.arrived = arrived
      if (lost) {
        lost.file = file
        lost.wait()
      } else {
        upload.state = canCheck(file) ? 'checking' : 'waiting'
        if (upload.state === 'checking') added.push(upload)
        this.all.push(upload)
      }
    }
    this.#next()
    void this.#check(added)
  }

  /** A file whose bytes the library has waits for the person; all others are sent. */
  async #check(added: Upload[]): Promise<void> {
    for (let at = 0; at < added.length;) {
      const some = added.slice(at, at + CHECKED_AT_ONCE[at ? 1 : 0]!)
      at += some.length
      const twins = await findTwins(some).catch(() => [])
      for (const [index, upload] of some.entries()) {
        if (upload.state !== 'checking') continue
        upload.twin = twins[index] ?? null
        // What is uploaded for a task is attached, whether the bytes are there already or not.
        if (upload.twin && upload.arrived) this.#useTwin(upload, upload.twin)
        else upload.state = upload.twin ? 'there' : 'waiting'
      }
      this.#next()
    }
  }

  /** Take the asset that the library has, instead of sending the file. */
  #useTwin(upload: Upload, { id, filename }: NonNullable<Upload['twin']>): void {
    upload.arrived?.(id)
    this.all = this.all.filter((each) => each !== upload)
    say(`${upload.name} was here already as ${filename}, which is attached`)
  }

  resume(...chosen: Upload[]): void {
    for (const upload of chosen) upload.wait()
    this.#next()
  }

  keepAsFile(upload: Upload): void {
    upload.sendAsFile()
    this.#next()
  }

  pause(upload: Upload): void {
    upload.pause()
    this.#next()
  }

  /** Take an upload out of the tray, and an unfinished one off the server. */
  async cancel(upload: Upload): Promise<void> {
    upload.stop()
    this.all = this.all.filter((each) => each !== upload)
    this.#keep()
    this.#next()
    if (!upload.id || upload.state === 'done') return
    try {
      await (isVideoId(upload.id) ? stow.videos : stow.assets).delete(upload.id)
    } catch (error) {
      sayFailed(`${upload.name} was stopped, but its beginning is still on the server`, error)
    }
  }

  clearDone(): void {
    this.all = this.all.filter((upload) => upload.state !== 'done' && upload.state !== 'there')
  }

  /** Add tags to all of these, also to those that are still on their way. */
  async tag(tags: string[]): Promise<void> {
    const ids = this.all.map((upload) => upload.id).filter((id) => id !== null)
    const assets = ids.filter((id) => !isVideoId(id)).slice(0, 100)
    if (assets.length) await api('post', '/media/assets/batch-tags', { body: { action: 'add', ids: assets, tags } })
    for (const id of ids.filter(isVideoId)) {
      const video = await stow.videos.get(id)
      await stow.videos.update(id, { tags: [...new Set([...video.tags, ...tags])] })
    }
    for (const upload of this.all) upload.tags = [...new Set([...upload.tags, ...tags])]
    ids.forEach((id) => this.#tell(id))
  }

  /** Hear the id of each upload that has arrived. */
  onDone(listener: (id: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #next(): void {
    const running = this.all.filter((upload) => upload.state === 'sending').length
    const waiting = this.all.filter((upload) => upload.state === 'waiting')
    for (const upload of waiting.slice(0, Math.max(0, AT_ONCE - running))) void this.#run(upload)
  }

  async #run(upload: Upload): Promise<void> {
    await upload.send(() => this.#keep())
    this.#keep()
    if (upload.state === 'done' && upload.id) {
      upload.arrived?.(upload.id)
      this.#tell(upload.id)
    }
    this.#next()
    again(upload.reason, () => upload.state === 'failed' && this.resume(upload))
  }

  #tell(id: string): void {
    for (const listener of this.#listeners) listener(id)
  }

  /** Remove everything at once: the person has signed out. Bytes that are on their way stop. */
  forget(): void {
    for (const upload of this.all) upload.stop()
    this.all = []
  }

  #keep(): void {
    const unfinished = this.all.map((upload) => upload.kept()).filter((kept) => kept !== null)
    keepOfPerson(STORE, unfinished.length ? JSON.stringify(unfinished) : null)
  }
}

/** New media is protected until the person chooses otherwise. */
function rememberedChoices(): UploadChoices {
  return {
    visibility: keptChoice('upload.visibility') === 'public' ? 'public' : 'protected',
    stripLocation: keptChoice('upload.place') === 'left out',
  }
}

function remembered(): UnfinishedUpload[] {
  return JSON.parse(keptOfPerson(STORE) ?? '[]') as UnfinishedUpload[]
}

export const uploads = new Uploads()
onForgotten(STORE, () => uploads.forget())
