/** Ids that come one by one, handed over together after a while. */
export function gather(ms: number, take: (ids: string[]) => void): { add: (id: string) => void; stop: () => void } {
  const ids = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const handOver = () => {
    timer = undefined
    const gathered = [...ids]
    ids.clear()
    take(gathered)
  }
  return {
    add: (id) => {
      ids.add(id)
      timer ??= setTimeout(handOver, ms)
    },
    stop: () => clearTimeout(timer),
  }
}
