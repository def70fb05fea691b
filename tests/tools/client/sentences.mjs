// Sentences about @stowboard/client that hold in Node and in a browser. Each gets the package and a live service:
// { Stowboard, … }, { origin, token, image }. A sentence fails by throwing.

const encode = (text) => new TextEncoder().encode(text)
const fresh = () => `n${Math.random().toString(36).slice(2)}`

function equal(found, wanted) {
  const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)]
  if (left !== right) throw new Error(`found ${left}, expected ${right}`)
}

async function failure(promise, kind) {
  try {
    await promise
  } catch (error) {
    if (!(error instanceof kind)) throw error
    return error
  }
  throw new Error(`expected ${kind.name}`)
}

/** Bytes that no other test has. */
function unique(size) {
  const bytes = new Uint8Array(size)
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  return bytes
}

async function digest(bytes) {
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `sha256:${Array.from(sum, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** A `fetch` that answers by a script, and then for real: a Response, an error to throw, or a function of the request. */
function scripted(...script) {
  const seen = []
  const send = (address, request) => {
    seen.push({ address, ...request })
    const next = script.shift()
    if (next instanceof Error) return Promise.reject(next)
    if (typeof next === 'function') return next(address, request)
    return next ? Promise.resolve(next) : fetch(address, request)
  }
  return { seen, fetch: send }
}
const refusal = (status, code, headers) =>
  Response.json({ error: { code, message: `It is ${code}.` } }, { status, headers })
const answer = (data, meta = {}) => Response.json({ data, meta })

const sentences = {
  async 'a task is made, changed, found in a list, completed and deleted'({ Stowboard, NotFound }, { origin, token }) {
    const stow = new Stowboard({ url: `${origin}/api/v1/`, token })
    const tag = fresh()
    const made = await stow.tasks.create({
      title: 'Water the plants',
      tags: [tag],
    })
    await stow.tasks.create({ title: 'Feed the cat', tags: [tag, 'cat'] })
    equal((await stow.tasks.update(made.id, { title: 'Water them' })).title, 'Water them')
    const titles = (await stow.tasks.list({ tags: [tag], limit: 1 }).all()).map(({ title }) => title)
    equal(titles, ['Feed the cat', 'Water them'])
    equal((await stow.tasks.list({ tags: [tag, 'cat'] }).all()).length, 1)
    equal((await stow.tasks.complete(made.id)).status, 'done')
    await stow.tasks.delete(made.id)
    const error = await failure(stow.tasks.get(made.id), NotFound)
    equal([error.status, error.code, Boolean(error.requestId)], [404, 'not_found', true])
  },

  async 'a list reads page after page, and only as far as it is walked'({ Stowboard }, { origin, token }) {
    const { seen, fetch } = scripted()
    const stow = new Stowboard({ url: origin, token, fetch })
    const tag = fresh()
    for (const title of ['a', 'b', 'c']) await stow.tasks.create({ title, tags: [tag] })
    seen.length = 0
    const list = stow.tasks.list({ tags: [tag], limit: 2 })
    equal(seen.length, 0)
    const first = await list.page()
    equal(
      first.data.map(({ title }) => title),
      ['c', 'b'],
    )
    equal((await list.page(first.next)).next, null)
    equal((await list.all({ max: 1 })).length, 1)
    equal(seen.length, 3)
  },

  async 'tasks, files and events are in the space that is named'({ Stowboard }, { origin, token }) {
    const stow = new Stowboard({ url: origin, token })
    const [own, library] = await stow.spaces.list().all({ max: 2 })
    equal([own.kind, library.id], ['personal', 'spc_library'])
    const name = `${fresh()}.txt`
    const file = await stow.upload(new Blob([unique(10)]), {
      filename: name,
      kind: 'file',
      spaceId: 'own',
    })
    equal([file.spaceId, file.visibility], [own.id, 'protected'])
    equal(await stow.assets.list({ checksum: file.checksum }).all(), [])
    equal((await stow.assets.list({ checksum: file.checksum, spaceId: 'all' }).all()).length, 1)
    const task = await stow.tasks.create({ title: name, spaceId: own.id })
    equal((await stow.tasks.list({ spaceId: 'all' }).all({ max: 1 })).length, 1)
    const { meta } = await stow.request('get', '/events', {
      query: { subject: task.id, spaceId: 'own' },
    })
    const told = stow.events({
      subject: task.id,
      spaceId: own.id,
      after: meta.nextCursor,
    })
    await stow.tasks.complete(task.id)
    // The creation may come first: in a cluster an event gets its place a moment after its request was answered.
    const events = []
    for await (const event of told) {
      events.push(event)
      if (event.type === 'task.completed') break
    }
    const { spaceId, actor } = events.at(-1)
    equal([events.length <= 2, spaceId, actor.door], [true, own.id, '/api/v1'])
  },

  async 'a space has members'({ Stowboard }) {
    const member = { username: 'bob', role: 'editor' }
    const deleted = answer({ deleted: true })
    const pages = [answer([member], { nextCursor: 'c' }), answer([member])]
    const { seen, fetch } = scripted(answer({ id: 'spc_1' }), answer(member), ...pages, deleted)
    const { spaces } = new Stowboard({
      url: 'http://stow.test',
      token: 'x',
      fetch,
    })
    const { id } = await spaces.create('Home')
    equal(await spaces.addMember(id, member), member)
    equal(await spaces.members(id), [member, member])
    equal((await spaces.removeMember(id, 'bob')).deleted, true)
    equal(
      seen.map(({ method, address }) => `${method} ${address.split('/api/v1')[1]}`),
      [
        'POST /spaces',
        'POST /spaces/spc_1/members',
        'GET /spaces/spc_1/members?limit=100',
        'GET /spaces/spc_1/members?limit=100&cursor=c',
        'DELETE /spaces/spc_1/members/bob',
      ],
    )
  },

  async 'notifications are listed and read'({ Stowboard }) {
    const { seen, fetch } = scripted(answer([{ id: 'ntf_1' }]), answer({ read: 1 }))
    const { notifications } = new Stowboard({
      url: 'http://stow.test',
      token: 'x',
      fetch,
    })
    equal(await notifications.list({ unread: true }).all({ max: 1 }), [{ id: 'ntf_1' }])
    equal(await notifications.read({ until: 'ntf_1' }), 1)
    equal([seen[0].address.includes('/notifications?unread=true'), seen[1].body], [true, '{"until":"ntf_1"}'])
  },

  async 'the index of a list is activated in its own space'({ Stowboard }) {
    const inactive = () => refusal(409, 'task_index_not_activated')
    const done = () => answer({ complete: true })
    const spaces = answer([
      { id: '~bob', trashedAt: null },
      { id: 'spc_1', trashedAt: null },
      { id: 'spc_2', trashedAt: 5 },
    ])
    const ofAll = [inactive(), spaces, done(), done(), answer([])]
    const { seen, fetch } = scripted(inactive(), done(), answer([]), ...ofAll)
    const { tasks } = new Stowboard({
      url: 'http://stow.test',
      token: 'x',
      fetch,
    })
    for (const spaceId of ['spc_1', 'all']) equal(await tasks.list({ spaceId }).all(), [])
    const backfills = seen.filter(({ method }) => method === 'POST').map(({ address }) => address.split('?')[1])
    equal(backfills, ['spaceId=spc_1', 'spaceId=%7Ebob', 'spaceId=spc_1'])
  },

  async 'every operation can be asked for by its path'({ Stowboard }, { origin, token }) {
    const stow = new Stowboard({ url: origin, token })
    const { data } = await stow.request('post', '/taskapp/boards', {
      body: { name: 'Home' },
    })
    const path = { board_id: data.id }
    equal(
      (
        await stow.request('get', '/taskapp/boards/{board_id}/columns', {
          path,
        })
      ).data.length,
      3,
    )
    equal((await stow.request('delete', '/taskapp/boards/{board_id}', { path })).data.deleted, true)
  },

  async 'a write is sent again with its key, and happens once'({ Stowboard }, { origin, token }) {
    const lost = async (address, request) => {
      await fetch(address, request)
      throw new TypeError('the answer was lost')
    }
    const { seen, fetch: send } = scripted(lost)
    const stow = new Stowboard({ url: origin, token, fetch: send })
    const tag = fresh()
    await stow.tasks.create({ title: 'Once', tags: [tag] })
    equal(seen.length, 2)
    equal(seen[0].headers['idempotency-key'] === seen[1].headers['idempotency-key'], true)
    equal((await stow.tasks.list({ tags: [tag] }).all()).length, 1)
  },

  async 'without retries of writes only a read is sent again'({ Stowboard, Unreachable }) {
    const { seen, fetch } = scripted(new TypeError('cut'), new TypeError('cut'), answer({ id: 't' }))
    const stow = new Stowboard({
      url: 'https://stow.test',
      token: 'x',
      fetch,
      writeRetries: 0,
    })
    await failure(stow.tasks.complete('t'), Unreachable)
    equal(((await stow.tasks.get('t')).id, seen.length), 3)
  },

  async 'a write that was not answered tells its key, and is done once if it is repeated with it'(
    { Stowboard, Unreachable },
    { origin, token },
  ) {
    const arrives = async (address, request) => {
      await fetch(address, request)
      throw new TypeError('the answer was lost')
    }
    const lost = scripted(arrives)
    const stow = new Stowboard({
      url: origin,
      token,
      fetch: lost.fetch,
      retries: 0,
    })
    const tag = fresh()
    const body = { title: 'Once', tags: [tag] }
    const { idempotencyKey } = await failure(stow.tasks.create(body), Unreachable)
    const made = await stow.tasks.create(body, { idempotencyKey })
    equal(
      (await stow.tasks.list({ tags: [tag] }).all()).map(({ id }) => id),
      [made.id],
    )
  },

  async 'a call hears the headers of its answer'({ Stowboard }, { origin, token }) {
    const stow = new Stowboard({ url: origin, token })
    const heard = []
    const onHeaders = (headers) => heard.push(headers.get('etag'))
    const { version } = await stow.tasks.create({ title: 'Once' }, { onHeaders })
    equal(heard, [`"${version}"`])
  },

  async 'what passes is tried again, what does not is thrown at once'({ Stowboard, RateLimited, Forbidden }) {
    const limited = () => refusal(429, 'rate_limited', { 'retry-after': '0.01' })
    const first = scripted(
      limited(),
      refusal(503, 'service_unavailable', { 'retry-after': '0.01' }),
      answer({ id: 't' }),
    )
    const stow = (fetch, retries) => new Stowboard({ url: 'https://stow.test', token: 'x', fetch, retries })
    equal((await stow(first.fetch).tasks.get('t')).id, 't')
    const second = scripted(refusal(403, 'insufficient_scope'))
    await failure(stow(second.fetch).tasks.get('t'), Forbidden)
    // Whoever has met the limit waits, whatever the number of retries.
    const third = scripted(limited(), limited(), limited(), answer({ id: 't' }))
    equal((await stow(third.fetch, 0).tasks.complete('t')).id, 't')
    const fourth = scripted(refusal(429, 'rate_limited', { 'retry-after': '3600' }))
    equal((await failure(stow(fourth.fetch).tasks.get('t'), RateLimited)).retryAfter, 3600)
    equal(
      [first, second, third, fourth].map(({ seen }) => seen.length),
      [3, 1, 4, 1],
    )
  },

  async 'a token that is refused is asked for once more'({ Stowboard, Unauthorized }) {
    const asked = []
    const token = (renew) => (asked.push(renew), renew ? 'new' : 'old')
    const { seen, fetch } = scripted(refusal(401, 'token_expired'), answer({ id: 't' }))
    await new Stowboard({ url: 'https://stow.test', token, fetch }).tasks.get('t')
    equal(
      seen.map(({ headers }) => headers.authorization),
      ['Bearer old', 'Bearer new'],
    )
    const fixed = scripted(refusal(401, 'invalid_token'))
    const stow = new Stowboard({
      url: 'https://stow.test',
      token: 'x',
      fetch: fixed.fetch,
    })
    equal((await failure(stow.tasks.get('t'), Unauthorized)).code, 'invalid_token')
  },

  async 'no answer, a late answer and an answer of a proxy have classes of their own'({
    Stowboard,
    Unreachable,
    TimedOut,
    UnreadableAnswer,
    isApiError,
  }) {
    const stow = (fetch) =>
      new Stowboard({
        url: 'https://stow.test',
        token: 'x',
        fetch,
        retries: 0,
        timeout: 0.01,
      })
    await failure(stow(scripted(new TypeError('no route')).fetch).tasks.get('t'), Unreachable)
    const never = (_, { signal }) =>
      new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason)
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    equal(isApiError(await failure(stow(never).tasks.get('t'), TimedOut)), false)
    await failure(stow(scripted(new Response('<html>')).fetch).tasks.get('t'), UnreadableAnswer)
    const control = new AbortController()
    const call = stow(never).tasks.get('t', { signal: control.signal })
    control.abort(new RangeError('enough'))
    await failure(call, RangeError)
  },

  async 'an id that would address something else is refused'({ Stowboard }, { origin, token }) {
    const stow = new Stowboard({ url: origin, token })
    for (const wrong of ['', '.', '..']) await failure(stow.tasks.delete(wrong), TypeError)
  },

  async 'events come as they happen, and after a break none is missed or told twice'({ Stowboard }, { origin, token }) {
    // The server is in trouble at first; then the stream breaks behind its second event.
    const cut = async (address, request) => {
      const found = await fetch(address, request)
      let pieces = 0
      const breaking = new TransformStream({
        transform(piece, control) {
          pieces += 1
          if (pieces > 2) control.error(new TypeError('the line broke'))
          else control.enqueue(piece)
        },
      })
      return new Response(found.body.pipeThrough(breaking), {
        status: found.status,
      })
    }
    const stow = new Stowboard({ url: origin, token })
    const streams = scripted(refusal(500, 'internal_error'), cut)
    const listener = new Stowboard({
      url: origin,
      token,
      fetch: streams.fetch,
    })
    const control = new AbortController()
    const titles = ['one', 'two', 'three', 'four']
    const heard = []
    const made = []
    let connected = 0
    const onConnection = async (there) => {
      if (there && connected++ === 0) for (const title of titles) made.push((await stow.tasks.create({ title })).id)
    }
    const cursors = []
    const onCursor = (cursor) => cursors.push(cursor)
    const options = {
      types: ['task.created'],
      signal: control.signal,
      onConnection,
      onCursor,
    }
    for await (const event of listener.events(options)) {
      heard.push(event.subject)
      equal([event.cursor === '', event.cursor], [false, cursors.at(-1)])
      if (heard.length === titles.length) break
    }
    // An event may be heard before the answer of its creation.
    while (made.length < titles.length) await new Promise((resolve) => setTimeout(resolve, 10))
    equal(heard, made)
    equal(streams.seen.length >= 3, true)
    control.abort(new RangeError('enough'))
    await failure(stow.events({ signal: control.signal }).next(), RangeError)
  },

  async 'frames of a stream are whole, whatever pieces and line ends they come in'({ messages }) {
    const read = async (pieces) => {
      const body = new ReadableStream({
        start(control) {
          for (const piece of pieces) control.enqueue(piece)
          control.close()
        },
      })
      const found = []
      for await (const message of messages(body)) found.push(message)
      return found
    }
    const lines = [
      'retry: 30',
      '',
      'id: c1',
      'event: task.moved',
      'data: {"a":',
      'data: "é"}',
      '',
      ': alive',
      '',
      'data: cut',
    ]
    const wanted = [
      { id: '', event: 'message', data: '', retry: 30 },
      { id: 'c1', event: 'task.moved', data: '{"a":\n"é"}', retry: null },
      { id: 'c1', event: 'message', data: '', retry: null },
    ]
    for (const end of ['\n', '\r', '\r\n']) {
      const bytes = encode(lines.join(end))
      equal(await read([bytes]), wanted)
      equal(await read(Array.from(bytes, (byte) => Uint8Array.of(byte))), wanted)
    }
  },

  async 'a small image goes in one request, with all that is said of it'({ Stowboard }, { origin, token, image }) {
    const stow = new Stowboard({ url: origin, token })
    const file = new File([Uint8Array.from(atob(image), (c) => c.charCodeAt(0))], 'häfen.png', { type: 'image/png' })
    const told = []
    const asset = await stow.upload(file, {
      tags: ['sea and sky'],
      alt: 'Boats',
      focalPoint: { x: 0.5, y: 0.25 },
      stripLocation: true,
      onProgress: ({ sent, total }) => told.push([sent, total]),
    })
    equal([asset.kind, asset.filename, asset.alt, asset.tags], ['image', 'häfen.png', 'Boats', ['sea and sky']])
    equal(asset.focalPoint, { x: 0.5, y: 0.25 })
    equal(told.at(-1), [file.size, file.size])
  },

  async 'a larger file is put, a very large one goes by TUS, and both arrive whole'({ Stowboard }, { origin, token }) {
    const stow = new Stowboard({ url: origin, token })
    for (const size of [8_000_000, 34_000_000]) {
      const bytes = unique(size)
      const told = []
      const options = {
        filename: 'large.bin',
        title: 'Large',
        onProgress: ({ sent }) => told.push(sent),
      }
      const asset = await stow.upload(new Blob([bytes]), options)
      equal([asset.size, asset.checksum, asset.title], [size, await digest(bytes), 'Large'])
      equal(told.at(-1), size)
      equal(
        told.every((sent, at) => at === 0 || sent >= told[at - 1]),
        true,
      )
    }
  },

  async 'new bytes of an asset replace its old ones, however few they are'({ Stowboard }, { origin, token }) {
    const stow = new Stowboard({ url: origin, token })
    const { id } = await stow.upload(new Blob([unique(10)]), {
      filename: 'a.bin',
      kind: 'file',
      tags: ['kept'],
    })
    const bytes = unique(20)
    const { version, tags, checksum } = await stow.upload(new Blob([bytes]), {
      filename: 'a.bin',
      assetId: id,
    })
    equal([version, tags, checksum], [2, ['kept'], await digest(bytes)])
  },

  async 'an upload that was stopped goes on from its state, and an address that is gone begins again'(
    { Stowboard },
    { origin, token },
  ) {
    const bytes = unique(34_000_000)
    const file = new Blob([bytes])
    const control = new AbortController()
    let state
    const stopped = scripted()
    const stow = new Stowboard({ url: origin, token, fetch: stopped.fetch })
    const onProgress = ({ sent }) => sent > 0 && control.abort(new RangeError('enough'))
    const onState = (given) => (state = JSON.parse(JSON.stringify(given)))
    await failure(
      stow.upload(file, {
        filename: 'a.bin',
        signal: control.signal,
        onProgress,
        onState,
      }),
      RangeError,
    )
    const offsets = []
    const asset = await stow.upload(file, {
      filename: 'a.bin',
      state,
      onProgress: ({ sent }) => offsets.push(sent),
    })
    equal([asset.id, asset.checksum], [state.id, await digest(bytes)])
    equal(offsets[0] > 0, true)
    const gone = { ...state, address: `${origin}/uploads/tus/nothing` }
    const small = new Blob([unique(10_000_000)])
    // The key that was given belongs to the address that is gone.
    const idempotencyKey = fresh()
    const options = {
      filename: 'b.bin',
      idempotencyKey,
      state: { ...gone, size: small.size },
    }
    equal((await stow.upload(small, options)).size, small.size)
    const announced = stopped.seen.findLast(({ address }) => address.endsWith('/presigned'))
    equal(announced.headers['idempotency-key'] === idempotencyKey, false)
  },

  async 'a connection that breaks while bytes travel costs only what was under way'({ Stowboard }, { origin, token }) {
    let cuts = 0
    const breaking = (address, request) => {
      if (request.method === 'PUT' || (request.method === 'PATCH' && cuts++ === 1))
        return Promise.reject(new TypeError('cut'))
      return fetch(address, request)
    }
    const stow = new Stowboard({ url: origin, token, fetch: breaking })
    const bytes = unique(18_000_000)
    const asset = await stow.upload(new Blob([bytes]), { filename: 'c.bin' })
    equal(asset.checksum, await digest(bytes))
    equal(cuts, 4)
  },

  async 'an upload that is not answered is sent again, and a large one asks before that'(
    { Stowboard, Unauthorized },
    { origin, token },
  ) {
    const never = (_, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const { seen, fetch } = scripted(undefined, never)
    const stow = new Stowboard({ url: origin, token, fetch, timeout: 2 })
    const name = fresh()
    const { id } = await stow.upload(new Blob([name]), {
      filename: `${name}.txt`,
    })
    equal([seen.length, (await stow.assets.get(id)).filename], [3, `${name}.txt`])
    const proxy = () => Promise.resolve(new Response('<html>', { status: 502 }))
    const revoked = scripted(undefined, proxy, refusal(401, 'invalid_token'))
    const large = new Blob([new Uint8Array(2_000_000)])
    const refused = new Stowboard({
      url: origin,
      token,
      fetch: revoked.fetch,
    }).upload(large, { filename: 'l.bin' })
    await failure(refused, Unauthorized)
    equal(
      revoked.seen.map(({ method }) => method),
      ['GET', 'POST', 'GET'],
    )
  },

  async 'uploads leave room in the limit for other requests'({ Stowboard }) {
    const left = (number, body) =>
      Response.json(body, {
        headers: { ratelimit: `"burst";r=${number};t=1` },
      })
    const setup = {
      imageTypes: [],
      imageExtensions: [],
      inlineBytes: 10,
      presignedBytes: 10,
      videoBytes: 10,
    }
    const { seen, fetch } = scripted(left(19, { data: setup }), answer({ id: 'ast_1' }))
    const stow = new Stowboard({ url: 'https://stow.test', token: 'x', fetch })
    await stow.setup()
    const control = new AbortController()
    const sent = stow.upload(new Blob(['x']), {
      filename: 'a.txt',
      signal: control.signal,
    })
    await Promise.resolve()
    equal(seen.length, 1)
    equal((await sent).id, 'ast_1')
  },

  async 'a video is waited for until it can be played, unless that is not wanted'({ Stowboard, UploadFailed }) {
    const setup = {
      imageTypes: [],
      imageExtensions: [],
      inlineBytes: 10,
      presignedBytes: 10,
      videoBytes: 10,
    }
    const begin = () => [
      answer(setup),
      answer({ id: 'vid_1', tusUploadUrl: 'https://stow.test/tus' }),
      new Response(null, { headers: { 'upload-offset': '1' } }),
      answer({ id: 'vid_1', status: 'processing' }),
    ]
    const status = (status, error = null) => answer({ id: 'vid_1', status, error })
    const film = new Blob(['x'], { type: 'video/mp4' })
    const upload = async (script, more) => {
      const { fetch } = scripted(...script)
      return new Stowboard({
        url: 'https://stow.test',
        token: 'x',
        fetch,
      }).upload(film, { filename: 'a.mp4', ...more })
    }
    equal((await upload([...begin(), status('processing'), status('ready')])).status, 'ready')
    equal((await upload(begin(), { wait: false })).status, 'processing')
    const broken = { code: 'invalid_media', message: 'It is no film.' }
    equal((await failure(upload([...begin(), status('failed', broken)]), UploadFailed)).code, 'invalid_media')
  },

  async 'what cannot be taken is told before a byte is sent, or when it was looked at'(
    { Stowboard, TooLarge, Invalid },
    { origin, token },
  ) {
    const stow = new Stowboard({ url: origin, token })
    const huge = new Blob([])
    Object.defineProperty(huge, 'size', { value: 2 ** 50 })
    equal((await failure(stow.upload(huge, { filename: 'huge.bin' }), TooLarge)).code, 'payload_too_large')
    await failure(stow.upload(new Blob(['x'])), TypeError)
    const text = new File(['no picture'], 'a.png', { type: 'image/png' })
    equal((await failure(stow.upload(text), Invalid)).code, 'invalid_media')
  },
}

const PATIENCE_MS = 120_000

/** The sentences that do not hold, with the reason. */
export async function failures(client, given) {
  const failed = []
  for (const [sentence, run] of Object.entries(sentences)) {
    let timer
    const limit = new Promise(
      (_, reject) => (timer = setTimeout(() => reject(new Error('it never ended')), PATIENCE_MS)),
    )
    try {
      await Promise.race([run(client, given), limit])
    } catch (error) {
      failed.push(`${sentence}: ${error?.stack ?? error}`)
    }
    clearTimeout(timer)
  }
  return failed
}
