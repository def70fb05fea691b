import { describe, expect, test } from 'vitest'

import type { Plan } from './plan'
import { readFile } from './read_file'

/** The samples of `stow import`, and the plans that both importers make of them. */
const samples = import.meta.glob<string>('../../../tests/support/imports/*.{json,csv,ics}', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const textOf = (file: string) => samples[`../../../tests/support/imports/${file}`]!
const plans = JSON.parse(textOf('plans.json')) as { file: string; name: string; plan: Plan }[]
const ZONE = 'Asia/Tokyo'

const read = (content: BlobPart, name = 'file') => readFile(new File([content], name), ZONE)

/** Without the members of tasks that are empty, as the samples' plans are written. */
function brief(plan: Plan): unknown {
  const isEmpty = (value: unknown) => !value || (Array.isArray(value) && value.length === 0)
  const boards = plan.boards.map((board) => ({
    ...board,
    tasks: board.tasks.map((task) => Object.fromEntries(Object.entries(task).filter(([, value]) => !isEmpty(value)))),
  }))
  return { boards, left: plan.left }
}

describe('a file of another program', () => {
  test.each(plans)('is read as stow import reads it: $file', async ({ file, name, plan }) => {
    expect(brief(await read(textOf(file), name))).toEqual(plan)
  })

  test('may have the line ends of Windows, and a mark at its beginning', async () => {
    const { file, name, plan } = plans.at(-1)!
    expect(brief(await read(`\ufeff${textOf(file).replaceAll('\n', '\r\n')}`, name))).toEqual(plan)
  })

  test('may be a zip', async () => {
    const { plan } = plans.find(({ file }) => file === 'vikunja.json')!
    for (const isPacked of [true, false]) {
      expect(brief(await read(await zipped('data.json', textOf('vikunja.json'), isPacked)))).toEqual(plan)
    }
    await expect(read(await zipped('other.json', '[]'))).rejects.toThrow('This zip has no data.json.')
    await expect(read(await zipped('data.json', ' '.repeat(40_000_000)))).rejects.toThrow('unpacks to too much')
  })

  test('that is none is refused in a sentence', async () => {
    const deep = '{"id":1,"title":"a","child_projects":['
    for (const content of [
      '',
      '{}',
      'a,b\n1,2\n',
      '\0',
      'PK\u0003\u0004',
      '{"lists": 5, "cards": []}',
      '{"lists": [], "cards": [{"id": {}, "name": "a"}], "id": 1, "name": "b"}',
      '{"lists": [], "cards": [{"id": 1, "name": "a", "due": "soon"}], "id": 1, "name": "b"}',
      '[{"id": 1}]',
      '[1]',
      `[${deep.repeat(50_000)}${']}'.repeat(50_000)}]`,
      'BEGIN:VCALENDAR\nBEGIN:VTODO\nEND:VTODO',
      'BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:1\nDUE:soon\nEND:VTODO',
      'TYPE,CONTENT,INDENT\ntask,a,deep',
    ])
      await expect(read(content), content.slice(0, 80)).rejects.toThrow(/^This .*\.$/)
    await expect(read('{"projects": [], "items": []}')).rejects.toThrow('use stow import')
    await expect(read(' '.repeat(32_000_001))).rejects.toThrow('up to 32 MB')
    await expect(read(`TYPE,CONTENT\n${'task,a\n'.repeat(10_001)}`)).rejects.toThrow('10,001 tasks on 1 board')
    await expect(read(`TYPE,CONTENT\n${'note,a\n'.repeat(60_000)}`)).rejects.toThrow('50,000 rows')
  })

  test('that was made to hold up the page is read, or refused, at once', async () => {
    const long = 400_000
    const html = (text: string) =>
      JSON.stringify([{ id: 1, title: 'a', tasks: [{ id: 1, title: 'b', description: text }] }])
    const csv = (cell: string) => `TYPE,CONTENT,AUTHOR\ntask,a,\nnote,b,"${cell}"\nnote,"${cell}",c\n`
    for (const part of ['<p> ', '<li data-checked=true>a', '<b>a', '<', '<a', '&', '<!--', ' '])
      expect((await read(html(part.repeat(long / part.length)))).boards).toHaveLength(1)
    for (const part of [' ', '[[file {', '""', '\n', '(1'])
      expect((await read(csv(part.repeat(long / part.length)))).boards).toHaveLength(1)
    await expect(read('TYPE '.repeat(long))).rejects.toThrow(/^This /)
    for (const content of [html('a'.repeat(8_000_001)), csv('a'.repeat(4_000_000))])
      await expect(read(content)).rejects.toThrow('too much text')
  })
})

/** As a program packs one file. */
async function zipped(name: string, text: string, isPacked = true): Promise<Uint8Array<ArrayBuffer>> {
  const content = new TextEncoder().encode(text)
  const stream = new CompressionStream('deflate-raw')
  const writer = stream.writable.getWriter()
  void writer.write(content).then(() => writer.close())
  const parts: number[][] = []
  const reader = stream.readable.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push([...part.value])
  const data = isPacked ? parts.flat() : [...content]
  const named = [...new TextEncoder().encode(name)]
  const bytes = (length: number, ...values: number[]) =>
    values.flatMap((value) => Array.from({ length }, (_, at) => (value >>> (8 * at)) & 255))
  const common = [...bytes(2, 20, 0, isPacked ? 8 : 0, 0, 0), ...bytes(4, 0, data.length, content.length)]
  const local = [...bytes(4, 0x04034b50), ...common, ...bytes(2, named.length, 0), ...named, ...data]
  const entry = [
    ...bytes(4, 0x02014b50),
    ...bytes(2, 20),
    ...common,
    ...bytes(2, named.length, 0, 0, 0, 0),
    ...bytes(4, 0, 0),
    ...named,
  ]
  const end = [
    ...bytes(4, 0x06054b50),
    ...bytes(2, 0, 0, 1, 1),
    ...bytes(4, entry.length, local.length),
    ...bytes(2, 0),
  ]
  return new Uint8Array([...local, ...entry, ...end])
}
