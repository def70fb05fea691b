/**
 * `<stow-upload>`: files from a page to the service, without a token in the page.
 *
 *     <form><stow-upload address="/upload-address" name="photos" accept="image/*" multiple></stow-upload></form>
 *
 * For each file the element posts `{filename, size, mimeType}` to `address`, which belongs to your own server. That
 * server asks the service (`POST /media/upload/presigned`) and answers with what it gets: `id` and `tusUploadUrl`. Files are
 * chosen, dropped, pasted or taken by a camera (`capture`). In a form, the ids of what arrived are the element's value.
 * An upload that a reload interrupted goes on when the same file is chosen again: its address is kept in localStorage.
 */
import { StowError } from '../errors.js'
import { Transport } from '../transport.js'
import { isGone, sendByTus } from '../uploads/tus.js'

export interface AnnouncedFile {
  id: string
  tusUploadUrl: string
}

const STYLE = `
:host { display: block; border: 2px dashed var(--stow-border, #8c8c8c); border-radius: 8px; padding: 1rem; }
:host([dragging]) { border-color: var(--stow-accent, #0b63ce); }
button { font: inherit; padding: 0.5rem 1rem; cursor: pointer; }
ul { list-style: none; margin: 0.5rem 0 0; padding: 0; }
li { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; padding: 0.25rem 0; }
progress { flex: 1; min-width: 6rem; accent-color: var(--stow-accent, #0b63ce); }
[role='status'] { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`
const KEPT = 'stow-upload:'

export class StowUpload extends (globalThis.HTMLElement ?? (class {} as typeof HTMLElement)) {
  static readonly formAssociated = true
  /** Used instead of `address`: returns the address for a file. It may be set before the element is defined. */
  announce: (file: File) => Promise<AnnouncedFile> =
    (this as Partial<StowUpload>).announce ?? ((file) => this.#ask(file))
  readonly #internals = this.attachInternals?.()
  readonly #ids: string[] = []
  #input!: HTMLInputElement
  #list!: HTMLUListElement
  #status!: HTMLElement

  /** The ids of the assets that have arrived. */
  get value(): readonly string[] {
    return this.#ids
  }

  connectedCallback(): void {
    if (this.shadowRoot) return
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLE)
    root.adoptedStyleSheets = [sheet]
    this.#input = element('input', { type: 'file', hidden: true })
    const button = element('button', { type: 'button' }, 'button')
    button.append(element('slot', { textContent: 'Choose files, or drop them here' }))
    this.#list = element('ul', {}, 'list')
    this.#status = element('span', { role: 'status' })
    root.append(button, this.#input, this.#list, this.#status)
    button.addEventListener('click', () => this.#choose())
    this.#input.addEventListener('change', () => {
      this.add(this.#input.files ?? [])
      this.#input.value = ''
    })
    this.addEventListener('dragover', (event) => (event.preventDefault(), this.toggleAttribute('dragging', true)))
    this.addEventListener('dragleave', () => this.toggleAttribute('dragging', false))
    this.addEventListener('drop', (event) => {
      event.preventDefault()
      this.toggleAttribute('dragging', false)
      this.add(event.dataTransfer?.files ?? [])
    })
    this.addEventListener('paste', (event) => this.add(event.clipboardData?.files ?? []))
  }

  formResetCallback(): void {
    this.#ids.length = 0
    this.#list.replaceChildren()
    this.#internals?.setFormValue(null)
  }

  /** Begin to send these files, all at once. */
  add(files: Iterable<File> | FileList): void {
    const given = [...files]
    for (const file of this.hasAttribute('multiple') ? given : given.slice(0, 1)) void this.#send(file)
  }

  #choose(): void {
    this.#input.multiple = this.hasAttribute('multiple')
    this.#input.accept = this.getAttribute('accept') ?? ''
    const camera = this.getAttribute('capture')
    if (camera !== null) this.#input.setAttribute('capture', camera)
    this.#input.click()
  }

  async #send(file: File): Promise<void> {
    const control = new AbortController()
    const bar = element('progress', { max: file.size || 1, value: 0, ariaLabel: file.name }, 'progress')
    const cancel = element(
      'button',
      { type: 'button', textContent: 'Cancel', ariaLabel: `Cancel ${file.name}` },
      'cancel',
    )
    const item = element('li', {}, 'item')
    item.append(element('span', { textContent: file.name }, 'name'), bar, cancel)
    this.#list.append(item)
    cancel.addEventListener('click', () => control.abort())
    const onSent = (sent: number) => {
      bar.value = sent
      this.#tell('stow-progress', { file, sent, total: file.size })
    }
    try {
      this.#check(file)
      const id = await this.#transfer(file, { signal: control.signal, onSent })
      this.#ids.push(id)
      this.#keepValue()
      cancel.remove()
      this.#status.textContent = `${file.name} was uploaded.`
      this.#tell('stow-uploaded', { file, id })
    } catch (error) {
      if (control.signal.aborted) return item.remove()
      const message = error instanceof StowError ? error.message : 'The upload failed.'
      cancel.remove()
      bar.replaceWith(element('span', { textContent: message }, 'error'))
      this.#status.textContent = `${file.name}: ${message}`
      this.#tell('stow-error', { file, error })
    }
  }

  #check(file: File): void {
    const most = Number(this.getAttribute('max-size')) || Infinity
    if (file.size > most) throw new StowError(`The file is larger than ${most} bytes.`)
    if (!isAccepted(file, this.getAttribute('accept'))) throw new StowError('Files of this type are not taken here.')
  }

  async #transfer(file: File, options: { signal: AbortSignal; onSent: (sent: number) => void }): Promise<string> {
    const key = `${KEPT}${file.name}:${file.size}:${file.lastModified}`
    const transport = new Transport({ url: location.href, token: '' })
    const earlier = kept(key)
    if (earlier) {
      try {
        await sendByTus(transport, earlier.tusUploadUrl, file, options)
        keep(key, null)
        return earlier.id
      } catch (error) {
        if (!isGone(error)) throw error
      }
    }
    const { id, tusUploadUrl } = await this.announce(file)
    keep(key, { id, tusUploadUrl })
    await sendByTus(transport, tusUploadUrl, file, options)
    keep(key, null)
    return id
  }

  async #ask({ name, size, type }: File): Promise<AnnouncedFile> {
    const answer = await fetch(this.getAttribute('address') ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ filename: name, size, mimeType: type || null }),
    })
    if (!answer.ok) throw new StowError('This page gave no address for the file.')
    const given = (await answer.json()) as AnnouncedFile & { data?: AnnouncedFile }
    return given.data ?? given
  }

  #keepValue(): void {
    const name = this.getAttribute('name')
    if (!name) return
    const value = new FormData()
    for (const id of this.#ids) value.append(name, id)
    this.#internals?.setFormValue(value)
  }

  #tell(type: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }))
  }
}

function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  members: Partial<HTMLElementTagNameMap[K]>,
  part = '',
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), members)
  if (part) made.setAttribute('part', part)
  return made
}

/** The value of a file input's attribute: `image/*`, `text/plain`, `.pdf`. */
function isAccepted({ name, type }: File, accept: string | null): boolean {
  const words = (accept ?? '')
    .toLowerCase()
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
  return (
    words.length === 0 ||
    words.some((word) => {
      if (word.startsWith('.')) return name.toLowerCase().endsWith(word)
      return word.endsWith('/*') ? type.startsWith(word.slice(0, -1)) : type === word
    })
  )
}

function kept(key: string): AnnouncedFile | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as AnnouncedFile | null
  } catch {
    return null
  }
}

/** A browser that stores nothing can upload all the same. */
function keep(key: string, value: AnnouncedFile | null): void {
  try {
    if (value) localStorage.setItem(key, JSON.stringify(value))
    else localStorage.removeItem(key)
  } catch {
    // The browser's store is full, or the browser forbids it.
  }
}
