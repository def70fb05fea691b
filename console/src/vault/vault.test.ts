import { expect, test } from 'vitest'

import page from '../../../docs/api/zero-knowledge.md?raw'
import { decode } from './base64'
import { type Envelope, pad, seal, unpad, unseal } from './body'
import { type KeyFile, newKey, readRecovery, unwrap, wrap, writeRecovery } from './key_file'
import { importKey } from './sealing'
import { Unreadable } from './unreadable'

interface Vector {
  owner: string
  taskId: string
  key: string
  text: string
  passphrase: string
  envelope: Envelope
  keyFile: KeyFile
}
const vector = JSON.parse(/```json vector\n([\s\S]*?)```/.exec(page)![1]!) as Vector
const { owner, taskId, envelope } = vector

async function keys(): Promise<Map<string, CryptoKey>> {
  return new Map([[envelope.keyId, await importKey(decode(vector.key))]])
}

test('the vector of the manual opens', async () => {
  expect(await unseal(await keys(), owner, taskId, envelope)).toBe(vector.text)
  expect(await unwrap(vector.passphrase, owner, vector.keyFile)).toEqual(decode(vector.key))
})

test('what was sealed opens in its own place alone', async () => {
  const key = (await keys()).get(envelope.keyId)!
  const sealed = await seal(key, envelope.keyId, owner, taskId, 'Grüße 🎁')
  expect(await unseal(await keys(), owner, taskId, sealed)).toBe('Grüße 🎁')
  for (const [who, where, what] of [
    ['bob', taskId, sealed],
    [owner, 'tsk_other', sealed],
    [owner, taskId, { ...sealed, keyId: 'other' }],
    [owner, taskId, { ...sealed, version: 2 }],
    [
      owner,
      taskId,
      {
        ...sealed,
        ciphertext:
          `A${sealed.ciphertext.slice(1)}` === sealed.ciphertext
            ? `B${sealed.ciphertext.slice(1)}`
            : `A${sealed.ciphertext.slice(1)}`,
      },
    ],
    [owner, taskId, { ...sealed, nonce: 'AAAA' }],
  ] as [string, string, Envelope][]) {
    await expect(unseal(await keys(), who, where, what)).rejects.toThrow(Unreadable)
  }
})

test.each(['', 'x', 'x'.repeat(252), 'x'.repeat(253), '\ufeffäöü'.repeat(100)])(
  'a text comes back whatever its length',
  (text) => {
    const padded = pad(text)
    expect(padded.length % 256).toBe(0)
    expect(unpad(padded)).toBe(text)
  },
)

test('padding that is more, less or not zero is refused', () => {
  const right = pad('hello')
  const longer = new Uint8Array(512)
  longer.set(right)
  const dirty = right.slice()
  dirty[255] = 1
  const beyond = right.slice()
  beyond[0] = 255
  for (const wrong of [longer, dirty, beyond, new Uint8Array(0)]) expect(() => unpad(wrong)).toThrow(Unreadable)
})

test('a key that was wrapped comes back with its passphrase alone, and never from weakened parameters', async () => {
  const { raw, keyId } = newKey()
  const file = await wrap('correct horse', raw, keyId, owner)
  expect(await unwrap('correct horse', owner, file)).toEqual(raw)
  await expect(unwrap('wrong horse', owner, file)).rejects.toThrow(Unreadable)
  await expect(unwrap('correct horse', 'bob', file)).rejects.toThrow(Unreadable)
  await expect(unwrap('correct horse', owner, { ...file, iterations: 1000 })).rejects.toThrow('too weak')
})

test('a recovery file is read back, and a damaged or foreign one is not', async () => {
  const { raw, keyId } = newKey()
  const text = await writeRecovery(owner, keyId, raw)
  expect(await readRecovery(text, owner)).toEqual({ raw, keyId })
  await expect(readRecovery(text, 'bob')).rejects.toThrow('of alice')
  await expect(readRecovery(text.replace(/"key": "./, '"key": "!'), owner)).rejects.toThrow(Unreadable)
  await expect(readRecovery('{}', owner)).rejects.toThrow('no recovery file')
  await expect(readRecovery('nothing', owner)).rejects.toThrow('no recovery file')
})
