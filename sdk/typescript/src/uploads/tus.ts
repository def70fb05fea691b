/**
 * Sends a file by TUS 1.0.0, from the byte that the server has reached. The address is the permission: no token is
 * sent. After a failure that may pass, the server is asked for its offset. The upload fails after several failures in a
 * row without a byte of progress.
 */
import { ApiError, FileChanged, UnreadableAnswer } from '../errors.js'
import { type Transport, passes, pause, waitAfter } from '../transport.js'
import { sendBytes } from './sending.js'

const PIECE_BYTES = 8 * 1024 * 1024
const FAILURES = 12
/** The server has another offset (409), another request still writes (423), or the server is in trouble. */
const PASSING = [409, 423, 500]
const TUS = { 'tus-resumable': '1.0.0' }

export interface TusOptions {
  signal?: AbortSignal
  onSent: (bytes: number) => void
}

/** True if the address is used up or has expired, so that the file has to be announced again. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && [403, 404, 410].includes(error.status)
}

/** Throws StowError, or the reason of the signal. */
export async function sendByTus(transport: Transport, address: string, file: Blob, options: TusOptions): Promise<void> {
  let reached = -1
  for (let failures = 0; ;) {
    try {
      let offset = await offsetOf(transport, address, file, options)
      for (;;) {
        if (offset > reached) failures = 0
        reached = Math.max(reached, offset)
        options.onSent(offset)
        if (offset >= file.size) return
        offset = await sendPiece(transport, address, file, offset, options)
      }
    } catch (error) {
      failures += 1
      const mayPass = passes(error) || (error instanceof ApiError && PASSING.includes(error.status))
      if (failures > FAILURES || !mayPass) throw error
      await pause(waitAfter(failures, error), options.signal)
    }
  }
}

async function offsetOf(transport: Transport, address: string, file: Blob, { signal }: TusOptions): Promise<number> {
  const answer = await sendBytes(transport, { method: 'HEAD', address, headers: TUS, signal })
  const length = answer.header('upload-length')
  if (length !== null && Number(length) !== file.size)
    throw new FileChanged(`The upload was begun with ${length} bytes; the file has ${file.size}.`)
  return readOffset(answer.header('upload-offset'))
}

async function sendPiece(
  transport: Transport,
  address: string,
  file: Blob,
  offset: number,
  { signal, onSent }: TusOptions,
): Promise<number> {
  const headers = {
    ...TUS,
    'upload-offset': String(offset),
    'upload-length': String(file.size),
    'content-type': 'application/offset+octet-stream',
  }
  const body = await readBytes(file, offset, offset + PIECE_BYTES)
  const tell = (sent: number) => onSent(offset + sent)
  const answer = await sendBytes(transport, { method: 'PATCH', address, headers, body, signal, onSent: tell })
  const next = readOffset(answer.header('upload-offset'))
  if (next <= offset) throw new UnreadableAnswer(`The server took bytes at ${offset} and is at ${next}.`)
  return next
}

/** Bytes are read before they are sent: a file that has changed is then told from a lost connection. */
async function readBytes(file: Blob, start: number, end: number): Promise<ArrayBuffer> {
  try {
    return await file.slice(start, end).arrayBuffer()
  } catch (error) {
    throw new FileChanged('The file has changed, or went away, while it was being sent.', { cause: error })
  }
}

function readOffset(header: string | null): number {
  if (header === null || !/^\d+$/.test(header)) throw new UnreadableAnswer('The server told no Upload-Offset.')
  return Number(header)
}
