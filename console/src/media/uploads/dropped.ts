/** The files of a drop or a paste, those in folders included. */
export async function filesOf(transfer: DataTransfer): Promise<File[]> {
  // Entries must be taken before the first await: the browser empties the list then.
  const entries = [...transfer.items].map((item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null))
  const loose = [...transfer.files]
  if (!entries.some((entry) => entry?.isDirectory)) return loose
  const found = await Promise.all(entries.map((entry) => (entry ? walk(entry) : [])))
  return found.flat()
}

async function walk(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile)
    return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))]
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const inside: FileSystemEntry[] = []
  for (;;) {
    // A folder is read in pieces, until there is an empty one.
    const piece = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (piece.length === 0) break
    inside.push(...piece)
  }
  const files = await Promise.all(inside.filter((each) => !each.name.startsWith('.')).map(walk))
  return files.flat()
}
