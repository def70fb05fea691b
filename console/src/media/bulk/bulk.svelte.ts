/**
 * Actions on many entries at once; a call takes 100 ids. Which dialog is open is kept here too, so that keys and
 * buttons lead to the same one.
 */
import { did, whenUndone } from '../../api/acts'
import { api } from '../../api/client'
import { changeEntry, chunksOf, type Entry, type Visibility } from '../../api/media'
import { spaces } from '../../api/spaces.svelte'
import { putInTrash } from '../../api/trash'
import { attempt } from '../../shell/attempt'
import { type Change, optimistic } from '../../shell/optimistic'
import type { PagedList } from '../../shell/lists/paged.svelte'
import type { Selection } from '../../shell/lists/selection.svelte'
import { say, sayFailed } from '../../shell/toasts.svelte'
import { undoable } from '../../shell/undo'
import { copyText } from '../../shell/copy'
import { many } from '../../shell/words'
import { linksTo, linkTo, type LinkForm } from '../links'
import type { Cursor } from '../library'

export class Bulk {
  dialog = $state<'tag' | 'links' | null>(null)
  /** The entries that the open dialog is about. */
  targets = $state.raw<Entry[]>([])
  #running = $state(0)

  constructor(
    private readonly selection: Selection,
    private readonly list: () => PagedList<Entry, Cursor>,
  ) {}

  get running(): boolean {
    return this.#running > 0
  }

  /** Open a dialog about the selection, or about one entry if nothing is selected. */
  ask(dialog: NonNullable<typeof this.dialog>, otherwise: string | null = null): void {
    const targets = this.entries(otherwise)
    if (targets.length === 0) return
    this.targets = targets
    this.dialog = dialog
  }

  entries(otherwise: string | null = null): Entry[] {
    const ids = this.selection.size > 0 ? [...this.selection.ids] : otherwise ? [otherwise] : []
    return ids.map((id) => this.list().find(id)).filter((entry) => entry !== null)
  }

  /** True if some are selected, and all of them may be changed. */
  mayEdit(otherwise: string | null = null): boolean {
    const entries = this.entries(otherwise)
    return entries.length > 0 && entries.every(({ spaceId }) => spaces.may(spaceId))
  }

  tag(entries: Entry[], action: 'add' | 'remove', tags: string[], form?: HTMLFormElement): Promise<boolean> {
    const changed = entries.map((entry) => withTags(entry, newTags(entry.tags, action, tags)))
    const act = async () => {
      for (const ids of chunksOf(entries.map((entry) => entry.id))) {
        await api('post', '/media/assets/batch-tags', { body: { action, ids, tags } })
      }
    }
    return this.#change(`Tags of ${many(entries.length, 'item')}`, entries, changed, act, form)
  }

  async setVisibility(entries: Entry[], visibility: Visibility): Promise<void> {
    const changed = entries.map((entry) => withVisibility(entry, visibility))
    await this.#change(`Who sees ${many(entries.length, 'item')}`, entries, changed, async () => {
      for (const entry of entries) this.list().put([await changeEntry(entry.id, { visibility })])
    })
  }

  async remove(entries: Entry[]): Promise<void> {
    const ids = entries.map((entry) => entry.id)
    let putBack = () => {}
    await this.#optimistic({
      show: () => {
        putBack = this.list().snapshot()
        this.list().remove(new Set(ids))
        this.selection.drop(ids)
      },
      act: () => putInTrash(ids),
      done: () => {
        const what = entries.length === 1 ? `${entries[0]!.name} is` : `${many(entries.length, 'item')} are`
        whenUndone(ids, putBack)
        say(`${what} in the trash`, undoable(ids))
      },
      putBack: () => putBack(),
      failed: 'Not deleted',
    })
  }

  async copyLinks(entries: Entry[], form: LinkForm): Promise<void> {
    const copy = async () => copyText((await linksTo(entries, form)).join('\n'))
    await attempt(copy, `${many(entries.length, 'link')} copied`, 'Not copied')
  }

  /** Each as a download of the browser's own, one after the other. */
  async download(entries: Entry[]): Promise<void> {
    try {
      for (const entry of entries) {
        const link = document.createElement('a')
        link.href = await linkTo(entry, { kind: 'download' })
        link.download = entry.name
        document.body.append(link)
        link.click()
        link.remove()
        await new Promise((resolve) => setTimeout(resolve, 300))
      }
    } catch (error) {
      sayFailed('The download stopped', error)
    }
  }

  #change(
    what: string,
    before: Entry[],
    after: Entry[],
    act: () => Promise<void>,
    form?: HTMLFormElement,
  ): Promise<boolean> {
    return this.#optimistic({
      form,
      show: () => this.list().put(after),
      act,
      done: () => {
        const ids = before.filter((entry, at) => differs(entry, after[at]!)).map(({ id }) => id)
        did(ids.map((id) => ({ id })))
        say(`${what} changed`, ids.length > 0 ? undoable(ids) : undefined)
      },
      putBack: () => this.list().put(before),
      failed: `${what} not changed`,
    })
  }

  #optimistic(change: Change<void>): Promise<boolean> {
    const act = async () => {
      this.#running += 1
      await change.act().finally(() => (this.#running -= 1))
    }
    return optimistic({ ...change, act })
  }
}

function newTags(tags: string[], action: 'add' | 'remove', given: string[]): string[] {
  return action === 'add' ? [...new Set([...tags, ...given])] : tags.filter((tag) => !given.includes(tag))
}

function withTags(entry: Entry, tags: string[]): Entry {
  const { asset, video } = entry
  return { ...entry, tags, asset: asset && { ...asset, tags }, video: video && { ...video, tags } }
}

function withVisibility(entry: Entry, visibility: Visibility): Entry {
  const { asset, video } = entry
  return { ...entry, visibility, asset: asset && { ...asset, visibility }, video: video && { ...video, visibility } }
}

function differs(before: Entry, after: Entry): boolean {
  return before.visibility !== after.visibility || before.tags.join() !== after.tags.join()
}
