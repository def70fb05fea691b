/** Text into the clipboard. Over plain HTTP `navigator.clipboard` is missing; a selected field does it there. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'visually-hidden'
  // Inside an open dialog, since the page behind it can take no focus.
  const place = document.querySelector('dialog:modal') ?? document.body
  place.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  if (!done) throw new Error('this browser lets pages copy over HTTPS only')
}
