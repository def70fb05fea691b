/**
 * The names that fit what was typed: those that begin so (0), those with a word that does (1), those with it inside (2),
 * those with its letters in order (3). `worst` leaves out those that fit less.
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
