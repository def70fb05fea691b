import { expect, test } from 'vitest'

import { type Message, messages } from './events'

async function read(...pieces: string[]): Promise<Message[]> {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(control) {
      for (const piece of pieces) control.enqueue(encoder.encode(piece))
      control.close()
    },
  })
  const found: Message[] = []
  for await (const message of messages(body)) found.push(message)
  return found
}

test('an event is whole, whatever pieces it arrives in', async () => {
  const text =
    'retry: 3000\n\nid: c1\nevent: task.moved\ndata: {"id":"evt_1",\ndata: "subject":"tsk_é"}\n\n: keep-alive\n\n'
  const whole = await read(text)
  expect(whole[0]).toEqual({ id: '', event: 'message', data: '', retry: 3000 })
  expect(whole[1]).toEqual({ id: 'c1', event: 'task.moved', data: '{"id":"evt_1",\n"subject":"tsk_é"}', retry: 0 })
  expect(await read(...text)).toEqual(whole)
})
