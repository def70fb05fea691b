/**
 * Takes what other applications of the device share with the installed console (manifest.webmanifest): words begin a
 * task, files are kept until the console has asked what to do with them. It answers for no screen, and keeps nothing else.
 */
const KEPT = 'shared'

addEventListener('fetch', (event) => {
  const { method, url } = event.request
  if (method === 'POST' && new URL(url).pathname === '/console/share') event.respondWith(receive(event.request))
})

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
