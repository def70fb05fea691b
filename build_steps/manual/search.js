// Finds sections of the manual that have every word of the query, or a word that begins with it. Headings count most.
const up = document.currentScript.dataset.up
const field = document.querySelector('input[type=search]')
const found = document.querySelector('#found')
const MOST = 30

field.form.addEventListener('submit', (event) => {
  event.preventDefault()
  found.querySelector('a')?.click()
})
field.addEventListener('input', show)
addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== field) {
    event.preventDefault()
    field.focus()
  }
})

function show() {
  const words = field.value.toLowerCase().match(/[a-z0-9_]+/g) ?? []
  found.hidden = words.length === 0
  const scored = SECTIONS.map((section) => [score(section, words), section]).filter(([points]) => points > 0)
  scored.sort(([one], [other]) => other - one)
  found.replaceChildren(...scored.slice(0, MOST).map(([, section]) => row(section)))
  if (scored.length === 0) found.textContent = 'Nothing found. Try fewer or shorter words.'
}

function score([, title, heading, text], words) {
  let points = 0
  for (const word of words) {
    const begins = new RegExp(`(^|[^a-z0-9_])${word}`, 'i')
    const here = begins.test(heading) ? 8 : begins.test(title) ? 4 : begins.test(text) ? 1 : 0
    if (here === 0) return 0
    points += here
  }
  return points
}

function row([address, title, heading]) {
  const item = document.createElement('li')
  const link = item.appendChild(document.createElement('a'))
  link.href = up + address
  link.textContent = heading
  link.addEventListener('click', () => (found.hidden = true))
  item.appendChild(document.createElement('small')).textContent = title
  return item
}
