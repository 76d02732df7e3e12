import { folderIn, type Place } from './destinations.ts'

/** Something to send: a file, or a folder that has nothing in it. */
export type Wanted = { file: File; place: Place } | { file?: undefined; place: Place }

/** What was dropped, as the browser hands it over; to be read before the event is over. */
export function entriesOf(items: DataTransferItemList): FileSystemEntry[] {
  return Array.from(items)
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null)
}

/** Every file below what was dropped, with the folder it belongs into. */
export async function gatherEntries(entries: FileSystemEntry[], into: Place): Promise<Wanted[]> {
  const found: Wanted[] = []
  for (const entry of entries) {
    if (entry.isFile) found.push({ file: await fileOf(entry as FileSystemFileEntry), place: into })
    else found.push(...(await gatherFolder(entry as FileSystemDirectoryEntry, into)))
  }
  return found
}

async function gatherFolder(entry: FileSystemDirectoryEntry, into: Place): Promise<Wanted[]> {
  const place = folderIn(into, entry.name)
  const inside = await gatherEntries(await childrenOf(entry), place)
  return inside.length > 0 ? inside : [{ place }]
}

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject))

/** A folder is read in parts, until a part is empty. */
async function childrenOf(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader()
  const children: FileSystemEntry[] = []
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (part.length === 0) return children
    children.push(...part)
  }
}

/** The files of a folder that was chosen rather than dropped: each says its way by itself. */
export function gatherChosen(files: Iterable<File>, into: Place): Wanted[] {
  const places = new Map<string, Place>([['', into]])
  const placeAt = (path: string): Place => {
    const known = places.get(path)
    if (known) return known
    const cut = path.lastIndexOf('/')
    const place = folderIn(placeAt(path.slice(0, Math.max(cut, 0))), path.slice(cut + 1))
    places.set(path, place)
    return place
  }
  return Array.from(files, (file) => {
    const path = file.webkitRelativePath
    return { file, place: placeAt(path.slice(0, Math.max(path.lastIndexOf('/'), 0))) }
  })
}
