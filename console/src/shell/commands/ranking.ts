/** Which names fit what was typed: those that begin so, then those with a word that does, then letters in order. */
export function rank<T extends { name: string; group: string }>(all: T[], typed: string): T[] {
  const text = typed.trim().toLowerCase()
  if (!text) return all
  return all
    .map((item) => ({
      item,
      weight: weigh(item.name.toLowerCase(), text) ?? weigh(`${item.group} ${item.name}`.toLowerCase(), text),
    }))
    .filter((each): each is { item: T; weight: number } => each.weight !== null)
    .sort((a, b) => a.weight - b.weight)
    .map(({ item }) => item)
}

function weigh(name: string, text: string): number | null {
  if (name.startsWith(text)) return 0
  if (name.includes(` ${text}`)) return 1
  if (name.includes(text)) return 2
  let at = -1
  for (const letter of text) {
    at = name.indexOf(letter, at + 1)
    if (at < 0) return null
  }
  return 3
}
