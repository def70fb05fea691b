import { expect, test } from 'vitest'

import { cellAt, readStoryboard } from './storyboard'

const TEXT = `WEBVTT

00:00:00.000 --> 00:00:02.500
storyboard.jpg#xywh=0,0,160,90

00:00:02.500 --> 01:00:05.000
storyboard.jpg#xywh=160,0,160,90
`

test('each moment has its part of the sheet, and what is beyond the end the last one', () => {
  const cells = readStoryboard(TEXT, 'https://stow.test/stream/token/video/storyboard.vtt')
  expect(cells.map(({ begin, end, x }) => [begin, end, x])).toEqual([
    [0, 2.5, 0],
    [2.5, 3605, 160],
  ])
  expect(cells[0]?.sheet).toBe('https://stow.test/stream/token/video/storyboard.jpg')
  expect([0, 2.4, 2.5, 9999].map((at) => cellAt(cells, at)?.x)).toEqual([0, 0, 160, 160])
  expect(cellAt(readStoryboard('WEBVTT\n', 'https://stow.test/'), 1)).toBeNull()
})
