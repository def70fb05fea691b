/**
 * The worker of the installed console. It shows pushes and does what their buttons say; and it takes what other
 * applications of the device share (manifest.webmanifest): words begin a task, files are kept until the console has asked
 * what to do with them. It answers for no screen and keeps nothing else: a reload never depends on it.
 */
const KEPT = 'shared'
const HOUR_MS = 3_600_000
const SCREEN = /^\/(media|boards|tasks|spaces|notifications|trash|settings)(\/|$)/
const BUTTONS = [
  { action: 'complete', title: 'Complete' },
  { action: 'snooze', title: 'Remind me in an hour' },
]

addEventListener('install', () => skipWaiting())
addEventListener('push', (event) => event.waitUntil(show(read(event.data))))
addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(follow(event.action, event.notification.data))
})
addEventListener('fetch', (event) => {
  const { method, url } = event.request
  if (method === 'POST' && new URL(url).pathname === '/console/share') event.respondWith(receive(event.request))
})

/** A push that shows nothing costs the permission, so whatever cannot be read is shown as something new. */
function read(data) {
  try {
    return data.json()
  } catch {
    return {}
  }
}

async function show({ notification = {}, app_badge: unread }) {
  const { title = 'Stowboard', body = 'There is something new.', tag, navigate = '/notifications', data } = notification
  await registration.showNotification(title, {
    body,
    tag,
    icon: '/console/icon-192.png',
    badge: '/console/badge.png',
    data: { ...data, navigate },
    actions: data?.kind === 'reminder' && Notification.maxActions >= BUTTONS.length ? BUTTONS : [],
  })
  if (unread !== undefined) await navigator.setAppBadge?.(unread)
}

/** Signed out, or without an answer, the page opens at the task, which has both buttons. */
async function follow(action, { id, subject, navigate }) {
  if (action && (await act(action, id, subject).catch(() => false))) return
  const { pathname, search } = new URL(navigate, location.origin)
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = windows.find((each) => SCREEN.test(new URL(each.url).pathname))
  if (!open) return clients.openWindow(pathname + search)
  open.postMessage({ go: pathname + search })
  await open.focus()
}

/** As the person who is signed in; with the notification's id it happens once. */
async function act(action, id, subject) {
  const json = { 'content-type': 'application/json' }
  const session = await fetch('/session/token', { method: 'POST', headers: json, body: '{}' })
  if (!session.ok) return false
  const { access_token: bearer } = await session.json()
  const headers = { ...json, authorization: `Bearer ${bearer}`, 'idempotency-key': `${id}-${action}` }
  const task = `/api/v1/taskapp/tasks/${subject}`
  const later = JSON.stringify({ reminder: Date.now() + HOUR_MS })
  const answer =
    action === 'complete'
      ? await fetch(`${task}/complete`, { method: 'POST', headers })
      : await fetch(task, { method: 'PATCH', headers, body: later })
  return answer.ok
}

async function receive(request) {
  const form = await request.formData()
  const files = form.getAll('files').filter((file) => file instanceof File && file.name)
  if (files.length === 0) {
    const words = ['title', 'text', 'url'].map((name) => [name, form.get(name) ?? '']).filter(([, text]) => text)
    return Response.redirect(`/tasks?${new URLSearchParams(words)}`, 303)
  }
  const kept = await caches.open(KEPT)
  for (const file of files) {
    const headers = { 'content-type': file.type, 'x-name': encodeURIComponent(file.name) }
    await kept.put(`/console/shared/${crypto.randomUUID()}`, new Response(file, { headers }))
  }
  return Response.redirect('/media?shared=files', 303)
}
