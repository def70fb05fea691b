/** Importing this module defines `<stow-upload>` and `<stow-image>`. Where there is no page it does nothing. */
import { StowImage } from './stow_image.js'
import { StowUpload } from './stow_upload.js'

export { StowImage, StowUpload }
export type { AnnouncedFile } from './stow_upload.js'

const registry = globalThis.customElements as CustomElementRegistry | undefined
if (registry && !registry.get('stow-upload')) {
  registry.define('stow-upload', StowUpload)
  registry.define('stow-image', StowImage)
}
