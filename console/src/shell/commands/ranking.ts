/**
 * The names that fit the typed text: names that begin with it (0), that have a word that begins with it (1), that have
 * it inside (2), that have its letters in order (3). Names that fit less than `worst` are left out.
 */
export function rank<T extends { name: string; group: string }>(all: T[], typed: string, worst = 3): T[] {
  const text = typed.trim().toLowerCase()
  if (!text) return all
  return all
    .map((item) => ({
      item,
      weight: weigh(item.name.toLowerCase(), text) ?? weigh(`${item.group} ${item.name}`.toLowerCase(), text),
    }))
    .filter((each): each is { item: T; weight: number } => each.weight !== null && each.weight <= worst)
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
