// A web site of your own. It serves the pages of this folder, and asks Stowboard for upload addresses with a token that
// no page ever sees. Start it with STOWBOARD_URL and STOWBOARD_TOKEN, and open http://localhost:3000/plain.html.
// Before it gives out an address, your own server should check who asks, and what for.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname } from 'node:path'

import { Stowboard } from '@stowboard/client'

const stow = new Stowboard({ url: process.env.STOWBOARD_URL, token: process.env.STOWBOARD_TOKEN })
const PAGES = new URL('.', import.meta.url)
const MODULES = new URL('.', import.meta.resolve('@stowboard/client'))
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css' }

async function answer(request) {
  const { pathname } = new URL(request.url, 'http://localhost')
  if (pathname === '/upload-address') {
    const { filename, size, mimeType } = JSON.parse(await text(request))
    const body = { filename, size, mimeType, tags: ['guests'], visibility: 'public' }
    const { data } = await stow.request('post', '/media/upload/presigned', { body })
    return ['application/json', JSON.stringify({ id: data.id, tusUploadUrl: data.tusUploadUrl })]
  }
  if (pathname.startsWith('/assets/')) {
    return ['application/json', JSON.stringify(await stow.assets.get(pathname.slice('/assets/'.length)))]
  }
  const file = pathname.startsWith('/client/')
    ? new URL(`./${pathname.slice('/client/'.length)}`, MODULES)
    : new URL(`./${pathname.slice(1)}`, PAGES)
  return [TYPES[extname(file.pathname)] ?? 'application/octet-stream', await readFile(file)]
}

async function text(request) {
  let body = ''
  for await (const piece of request.setEncoding('utf8')) body += piece
  return body
}

const server = createServer(async (request, response) => {
  try {
    const [type, body] = await answer(request)
    response.writeHead(200, { 'content-type': type }).end(body)
  } catch (error) {
    response.writeHead(error.status ?? 404).end(String(error.message))
  }
})
server.listen(Number(process.env.PORT ?? 3000), () => console.log(`http://localhost:${server.address().port}`))
