import { afterEach, beforeEach, expect, test, vi } from 'vitest'

type Sent = { address: string; finish: (status: number) => void }
const LIMITS = {
  imageTypes: ['image/png', 'image/heic'],
  imageExtensions: ['.png', '.heic'],
  inlineBytes: 10,
  presignedBytes: 1000,
  videoBytes: 1000,
}
/** As long as a busy machine takes. */
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 30_000 })
const AS_CHOSEN = { type: 'application/zip', lastModified: 5 }
const TEXT = 'more than ten bytes'
let announced: Record<string, unknown>[]
let sent: Sent[]
let answer: (address: string) => Response

/** Sends bytes: a form is answered at once, others when the test says so. */
class FakeRequest {
  upload: { onprogress?: (event: object) => void } = {}
  onload = () => {}
  status = 0
  responseText = '{"error": {"code": "upload_gone", "message": "It is gone."}}'
  #address = ''
  open(_: string, address: string) {
    this.#address = address
  }
  setRequestHeader() {}
  getResponseHeader = (name: string) => (name === 'upload-offset' ? String(TEXT.length) : null)
  async send(body: Blob | FormData) {
    if (!(body instanceof FormData)) {
      sent.push({ address: this.#address, finish: (status) => ((this.status = status), this.onload()) })
      return
    }
    const { status, text } = await answered(this.#address, String(body.get('json')))
    Object.assign(this, { status, responseText: text })
    this.onload()
  }
  abort() {}
}

async function answered(address: string, json: string): Promise<{ status: number; text: string }> {
  const body = JSON.parse(json) as Record<string, unknown>
  announced.push({ path: new URL(address).pathname, ...body })
  const found = answer(address)
  return { status: found.status, text: await found.text() }
}

/** The module as a page has it that was just loaded. */
async function page() {
  vi.resetModules()
  const { uploads } = await import('./uploads.svelte')
  return uploads
}
const file = (name = 'archive.zip', text = TEXT) => new File([text], name, AS_CHOSEN)

beforeEach(() => {
  localStorage.clear()
  announced = []
  sent = []
  answer = () => {
    const id = `ast_${announced.length}`
    return Response.json({ data: { id, uploadUrl: `/uploads/${id}`, tusUploadUrl: `/uploads/tus/${id}` } })
  }
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  vi.stubGlobal('fetch', (address: string, request: RequestInit) => {
    if (address === '/session/token') return Promise.resolve(Response.json({ access_token: 'stow_x', expires_in: 600 }))
    if (address.endsWith('/media/cdn')) return Promise.resolve(Response.json({ data: LIMITS }))
    if (request.method === 'HEAD') return Promise.resolve(new Response(null, { headers: { 'upload-offset': '0' } }))
    if (request.method === 'GET') return Promise.resolve(Response.json({ data: { id: address.split('/').at(-1) } }))
    return answered(address, request.body as string).then(({ status, text }) => new Response(text, { status }))
  })
})
afterEach(() => vi.unstubAllGlobals())

test('after a reload the same file goes on at the address that it had', async () => {
  const before = await page()
  before.add([file()])
  await until(() => expect(sent).toHaveLength(1))
  const after = await page()
  expect(after.all.map((upload) => [upload.name, upload.state])).toEqual([['archive.zip', 'lost']])
  after.add([file()])
  await until(() => expect(sent).toHaveLength(2))
  expect(sent.map(({ address }) => address)).toEqual(['/uploads/ast_1', '/uploads/tus/ast_1'])
  expect(announced).toHaveLength(1)
  sent[1]!.finish(204)
  await until(() => expect(after.all[0]!.state).toBe('done'))
  expect((await page()).all).toEqual([])
})

test('another file of that name is another upload', async () => {
  const before = await page()
  before.add([file()])
  await until(() => expect(sent).toHaveLength(1))
  const after = await page()
  after.add([file('archive.zip', 'other bytes, of another length')])
  await until(() => expect(sent).toHaveLength(2))
  expect(announced).toHaveLength(2)
  expect(after.all.map((upload) => upload.state)).toEqual(['lost', 'sending'])
})

test('an address that has run out is asked for again by the next try', async () => {
  const uploads = await page()
  uploads.add([file()])
  await until(() => expect(sent).toHaveLength(1))
  sent[0]!.finish(410)
  await until(() => expect(uploads.all[0]!.state).toBe('failed'))
  expect(uploads.all[0]!.hopeless).toBe(false)
  uploads.resume(uploads.all[0]!)
  await until(() => expect(sent).toHaveLength(2))
  expect(announced).toHaveLength(2)
})

test('nothing of an upload is kept after sign-out, in other tabs neither', async () => {
  const uploads = await page()
  uploads.add([file()])
  await until(() => expect(sent).toHaveLength(1))
  expect(JSON.stringify({ ...localStorage })).toContain('archive.zip')
  const { forgetPerson } = await import('../../api/browser_store')
  await forgetPerson()
  expect(JSON.stringify({ ...localStorage })).not.toContain('archive.zip')
  dispatchEvent(new StorageEvent('storage', { key: 'stowboard.person.uploads', newValue: null }))
  sent[0]!.finish(204)
  await until(() => expect(uploads.all).toEqual([]))
  expect(JSON.stringify({ ...localStorage })).not.toContain('archive.zip')
})

test('what is an image, the server says; without a type the name does', async () => {
  const uploads = await page()
  const small = (name: string, type: string) => new File(['tiny'], name, { type })
  uploads.add([small('a.HEIC', ''), small('b.bmp', 'image/bmp'), small('c.png', 'image/png')])
  await until(() => expect(uploads.all.every((upload) => upload.state === 'done')).toBe(true))
  expect(Object.fromEntries(announced.map(({ filename, path }) => [filename, path]))).toEqual({
    'a.HEIC': '/api/v1/media/upload/image',
    'b.bmp': '/api/v1/media/upload/file',
    'c.png': '/api/v1/media/upload/image',
  })
  expect(announced.map(({ visibility }) => visibility)).toEqual(['protected', 'protected', 'protected'])
})

test('an image that does not decode can be kept as a file', async () => {
  const uploads = await page()
  const usual = answer
  answer = (address) =>
    address.endsWith('/image')
      ? Response.json({ error: { code: 'invalid_media', message: 'No image.' } }, { status: 400 })
      : usual(address)
  uploads.add([new File(['tiny'], 'broken.png', { type: 'image/png' })])
  await until(() => expect(uploads.all[0]!.noImage).toBe(true))
  uploads.keepAsFile(uploads.all[0]!)
  await until(() => expect(uploads.all[0]!.state).toBe('done'))
  expect(announced.at(-1)!.path).toBe('/api/v1/media/upload/file')
})

test('what is larger than the server takes is not sent at all', async () => {
  const uploads = await page()
  uploads.add([file('huge.zip', 'x'.repeat(1001))])
  await until(() => expect(uploads.all[0]!.hopeless).toBe(true))
  expect(uploads.all[0]!.error).toContain('larger than 1.0 kB')
  expect(announced).toEqual([])
})
