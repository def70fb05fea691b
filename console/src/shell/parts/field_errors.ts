/** Shows the reason of a refusal at its field: the control of the form that has the name of the member. */
import { memberOf, reasonOf } from '../../api/errors'

let last = 0

/** True if the reason is shown; it stays until the field is changed. */
export function tellAtField(form: HTMLFormElement, error: unknown): boolean {
  const member = memberOf(error)
  const field = member ? form.elements.namedItem(member) : null
  if (!(field instanceof HTMLElement)) return false
  const message = document.createElement('p')
  message.id = `field-error-${++last}`
  message.className = 'field-error small'
  message.role = 'alert'
  message.textContent = reasonOf(error)
  field.after(message)
  field.setAttribute('aria-invalid', 'true')
  const described = field.getAttribute('aria-describedby')
  field.setAttribute('aria-describedby', [message.id, described].filter(Boolean).join(' '))
  field.focus()
  const forget = () => {
    message.remove()
    field.removeAttribute('aria-invalid')
    if (described) field.setAttribute('aria-describedby', described)
    else field.removeAttribute('aria-describedby')
  }
  field.addEventListener('input', forget, { once: true })
  form.addEventListener('submit', forget, { once: true })
  return true
}
