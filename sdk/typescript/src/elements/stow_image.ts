/**
 * `<stow-image>`: an image of the service in the size that the page needs, with its placeholder until it is there.
 *
 *     <stow-image src="https://…/cdn/ast_…/v1/original/harbour.jpg" width="4000" height="3000" alt="Boats at dawn"
 *                 placeholder="1QcSHQRnh493V4dIh4eXh1h4kJUI" focal="0.5 0.4" sizes="50vw"></stow-image>
 *
 * The `<img>` is in the page itself, not in a shadow: it prints, and a right click saves it. If the element has an
 * `<img>` already, that one is used, so the image is there without a script. The placeholder is drawn on a canvas, since
 * many pages forbid `data:`.
 */
import type { Asset } from '../operations.js'
import { readThumbHash } from './thumbhash.js'

/** Classes that every installation has and that keep the image's proportions, with their widths. */
const CLASSES = { small: 320, medium: 768, large: 1280, xlarge: 1920 }
const PASSED_ON = ['alt', 'sizes', 'width', 'height', 'loading', 'decoding', 'fetchpriority'] as const

export class StowImage extends (globalThis.HTMLElement ?? (class {} as typeof HTMLElement)) {
  static readonly observedAttributes = [...PASSED_ON, 'src', 'srcset', 'placeholder', 'focal']
  #image: HTMLImageElement | null = null
  #canvas: HTMLCanvasElement | null = null

  /** Takes everything from an asset, as the API answers it. A protected asset needs a signed `src`. */
  set asset({ url, thumbnailUrl, alt, width, height, placeholder, focalPoint }: Asset) {
    const given = {
      src: url,
      srcset: url && srcsetOf(url, width ?? 0, thumbnailUrl ?? url),
      alt,
      width,
      height,
      placeholder: placeholder?.thumbhash,
      focal: focalPoint && `${focalPoint.x} ${focalPoint.y}`,
    }
    for (const [name, value] of Object.entries(given)) {
      if (value === null || value === undefined || value === '') this.removeAttribute(name)
      else this.setAttribute(name, String(value))
    }
  }

  connectedCallback(): void {
    Object.assign(this.style, { display: this.style.display || 'inline-block', position: 'relative', maxWidth: '100%' })
    this.#image = this.querySelector('img') ?? this.appendChild(document.createElement('img'))
    Object.assign(this.#image.style, { maxWidth: '100%', height: 'auto', position: 'relative', display: 'block' })
    this.#image.addEventListener('load', () => this.#show())
    for (const name of StowImage.observedAttributes) this.attributeChangedCallback(name)
    // A property that was set before the element was defined hides the setter.
    const { asset } = Object.hasOwn(this, 'asset') ? (this as { asset?: Asset }) : {}
    if (asset && delete (this as { asset?: Asset }).asset) this.asset = asset
  }

  attributeChangedCallback(name: string, before: string | null = null): void {
    const image = this.#image
    if (!image) return
    const value = this.getAttribute(name)
    if (name === 'focal') image.style.objectPosition = focus(value)
    else if (name === 'placeholder') this.#place(value)
    else if (name === 'src' || name === 'srcset' || name === 'width') this.#load(image)
    if (!PASSED_ON.includes(name as (typeof PASSED_ON)[number])) return
    if (value !== null) image.setAttribute(name, value)
    else if (before !== null) image.removeAttribute(name)
  }

  #load(image: HTMLImageElement): void {
    const src = this.getAttribute('src')
    const srcset = this.getAttribute('srcset') ?? (src && srcsetOf(src, Number(this.getAttribute('width')) || 0))
    // `srcset` is first: with `src` first, a browser begins to load the original.
    if (src && !srcset) image.removeAttribute('srcset')
    else if (srcset && image.srcset !== srcset) image.srcset = srcset
    if (src && image.getAttribute('src') !== src) image.src = src
  }

  #place(hash: string | null): void {
    this.#canvas?.remove()
    this.#canvas = null
    if (!hash || (this.#image?.complete && this.#image.naturalWidth > 0)) return
    try {
      const { width, height, rgba } = readThumbHash(hash)
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width, height, ariaHidden: 'true' })
      Object.assign(canvas.style, { position: 'absolute', inset: '0', width: '100%', height: '100%' })
      canvas.getContext('2d')?.putImageData(new ImageData(rgba, width, height), 0, 0)
      this.prepend(canvas)
      this.#canvas = canvas
    } catch {
      // A wrong placeholder is ignored.
    }
  }

  /** The canvas stays under the image while this one fades in. */
  #show(): void {
    const canvas = this.#canvas
    if (!canvas) return
    this.#canvas = null
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) canvas.remove()
    else void this.#image!.animate({ opacity: [0, 1] }, 200).finished.finally(() => canvas.remove())
  }
}

/**
 * The classes of a public image that are smaller than it, and the original. Other addresses have no classes. `sibling`
 * is the address of any class: the edition in the new addresses is taken from it.
 */
function srcsetOf(original: string, width: number, sibling = original): string {
  const [, before, after] = /^(.*\/cdn\/[^/]+\/[^/]+\/)\w+(\/[^/?]+)$/.exec(sibling) ?? []
  if (!before || !width || !original.includes('/original/')) return ''
  const smaller = Object.entries(CLASSES).filter(([, each]) => each < width)
  return [...smaller.map(([name, each]) => `${before}${name}${after} ${each}w`), `${original} ${width}w`].join(', ')
}

function focus(text: string | null): string {
  const [x, y] = (text ?? '').split(/\s+/).map(Number)
  return x !== undefined && y !== undefined && x + y >= 0 ? `${x * 100}% ${y * 100}%` : ''
}
