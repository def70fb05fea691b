/** Calls for videos alone: links, captions and posters. */
import { api, stow } from './client'
import type { Video } from './media'
import type { Schemas } from './queries'

export type Captions = Schemas['CaptionsView']

export async function signVideo(providerVideoId: string, expiresIn?: number): Promise<Schemas['SignedUrlView']> {
  const path = { provider_video_id: providerVideoId }
  return (await api('post', '/media/videos/{provider_video_id}/signed-url', { path, body: { expiresIn } })).data
}

/** The poster may change under the same address, and caches keep an address for a while. */
export function posterOf(video: Video): string | null {
  return video.posterUrl && `${video.posterUrl}?at=${video.updatedAt}`
}

export async function choosePoster(videoId: string, body: Schemas['PosterBody']): Promise<void> {
  await api('post', '/media/videos/{video_id}/poster', { path: { video_id: videoId }, body })
}

/** A poster is a copy, so the picture does not stay in the library. */
export async function sendPoster({ id: videoId, spaceId }: Video, file: File): Promise<void> {
  const { id: assetId } = await stow.upload(file, { kind: 'image', visibility: 'protected', spaceId })
  try {
    await choosePoster(videoId, { assetId })
  } finally {
    await stow.assets.delete(assetId)
  }
}

export async function listCaptions(videoId: string): Promise<Captions[]> {
  return (await api('get', '/media/videos/{video_id}/captions', { path: { video_id: videoId } })).data
}

export async function putCaptions(videoId: string, body: Schemas['PutCaptionsBody']): Promise<void> {
  await api('post', '/media/videos/{video_id}/captions', { path: { video_id: videoId }, body })
}

export async function removeCaptions(videoId: string, language: string): Promise<void> {
  await api('delete', '/media/videos/{video_id}/captions/{language}', { path: { video_id: videoId, language } })
}

/** The name of a language in that language; the tag itself if the browser knows no name. */
export function nameOfLanguage(tag: string): string {
  try {
    return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}

/** The language in a filename such as `harbour.pt-BR.srt`. */
export function languageIn(filename: string): string {
  return /[._]([a-z]{2,3}(?:-[a-z0-9]{2,8})*)\.\w+$/i.exec(filename)?.[1] ?? ''
}
