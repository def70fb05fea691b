/** The links that lead to an entry, in the forms in which people need them. */
import { api } from '../api/client'
import { chunksOf, classUrl, type Entry, signAsset } from '../api/media'
import { signVideo } from '../api/videos'

export type LinkForm =
  | { kind: 'public' | 'markdown' | 'html' | 'download' }
  | { kind: 'class'; transformClass: string }
  | { kind: 'signed'; seconds: number }

export const SPANS: [name: string, seconds: number][] = [
  ['15 minutes', 900],
  ['1 day', 86_400],
  ['7 days', 604_800],
]

/** Throws StowError, or says why there is no such link. */
export async function linkTo(entry: Entry, form: LinkForm): Promise<string> {
  if (form.kind === 'signed') return signed(entry, form.seconds)
  if (form.kind === 'download') return download(entry)
  if (form.kind === 'class') return addressOf(entry, form.transformClass)
  const url = publicUrl(entry)
  if (form.kind === 'public') return url
  const text = entry.asset?.alt ?? entry.name
  if (form.kind === 'markdown') return `${entry.kind === 'image' ? '!' : ''}[${text.replace(/[[\]]/g, '\\$&')}](${url})`
  return entry.kind === 'image'
    ? `<img src="${escape(url)}" alt="${escape(text)}">`
    : `<a href="${escape(url)}">${escape(text)}</a>`
}

/** The address of the picture in a class. */
export async function addressOf(entry: Entry, transformClass: string): Promise<string> {
  if (entry.visibility === 'public' && entry.asset?.url) return classUrl(entry.asset.url, transformClass)
  return signAsset(entry.id, { transformClass })
}

/** Links to many, in their order. Assets are signed 100 at a time. */
export async function linksTo(entries: Entry[], form: LinkForm): Promise<string[]> {
  const known =
    form.kind === 'signed' || form.kind === 'class' ? await signedTogether(entries, form) : new Map<string, string>()
  return Promise.all(entries.map((entry) => known.get(entry.id) ?? linkTo(entry, form)))
}

async function signedTogether(
  entries: Entry[],
  form: LinkForm & { kind: 'signed' | 'class' },
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const signed = form.kind === 'signed'
  const ids = entries
    .filter((entry) => entry.asset && (signed || entry.visibility !== 'public'))
    .map((entry) => entry.id)
  const options = signed ? { expiresIn: form.seconds } : { transformClass: form.transformClass }
  for (const some of chunksOf(ids)) {
    const body = { ids: some, ...options }
    for (const { assetId, url } of (await api('post', '/media/assets/urls', { body })).data) found.set(assetId, url)
  }
  return found
}

function publicUrl(entry: Entry): string {
  if (entry.visibility === 'public' && entry.asset?.url) return entry.asset.url
  throw new Error(`${entry.name} has no lasting link, since not everyone may see it. Copy one that ends.`)
}

async function signed(entry: Entry, expiresIn: number): Promise<string> {
  if (!entry.video) return signAsset(entry.id, { expiresIn })
  return (await signVideo(entry.video.providerVideoId, expiresIn)).url
}

async function download(entry: Entry): Promise<string> {
  if (!entry.video) return signAsset(entry.id, { disposition: 'attachment' })
  const { downloadUrl, mp4Url, url } = await signVideo(entry.video.providerVideoId)
  return downloadUrl ?? mp4Url ?? url
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
