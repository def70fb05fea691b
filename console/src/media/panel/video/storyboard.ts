/** The storyboard of a video: WebVTT whose cues name parts of one sheet of pictures. */
export interface Cell {
  begin: number
  end: number
  sheet: string
  x: number
  y: number
  width: number
  height: number
}

const CUE = /^(\S+) --> (\S+)\s*\n(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)$/gm

export function readStoryboard(text: string, address: string): Cell[] {
  return [...text.matchAll(CUE)].map(([, begin, end, sheet, ...area]) => {
    const [x = 0, y = 0, width = 0, height = 0] = area.map(Number)
    return {
      begin: seconds(begin ?? ''),
      end: seconds(end ?? ''),
      sheet: new URL(sheet ?? '', address).href,
      x,
      y,
      width,
      height,
    }
  })
}

export function cellAt(cells: Cell[], at: number): Cell | null {
  return cells.find(({ begin, end }) => begin <= at && at < end) ?? cells.at(-1) ?? null
}

function seconds(time: string): number {
  return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
}
