/** The state of an entry in words, or the length of a video; null if there is nothing to say. */
import type { Entry } from '../api/media'
import { clock } from '../shell/words'

export interface State {
  text: string
  tone: 'accent' | 'warn' | 'danger' | ''
}

export function stateOf({ asset, video }: Entry): State | null {
  if (video) return stateOfVideo(video)
  if (asset?.processingStatus === 'processing' || asset?.processingStatus === 'pending')
    return { text: 'Processing', tone: 'warn' }
  if (asset?.processingStatus === 'failed') return { text: 'Failed', tone: 'danger' }
  return null
}

function stateOfVideo(video: NonNullable<Entry['video']>): State | null {
  const { status, upload, processing, duration } = video
  if (status === 'ready') return duration === null ? null : { text: clock(duration), tone: '' }
  if (status === 'awaiting_upload') return { text: 'Not uploaded yet', tone: 'warn' }
  if (status === 'uploading')
    return { text: `Uploading${percent(upload.length ? upload.offset / upload.length : null)}`, tone: 'accent' }
  if (status === 'processing')
    return { text: `Processing${percent(processing ? processing.progress / 100 : null)}`, tone: 'warn' }
  return { text: status === 'failed' ? 'Failed' : 'Expired', tone: 'danger' }
}

function percent(part: number | null): string {
  return part === null ? '' : ` ${Math.round(part * 100)} %`
}
