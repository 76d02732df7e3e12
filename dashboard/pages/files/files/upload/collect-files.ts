import { api } from '../../../../api/client.ts'
import { createdFile } from '../file-actions.ts'
import type { FolderId } from '../files-queries.ts'

/** A file, perhaps a new version, or an empty folder to create. */
export type UploadItem =
  | { file: File; destination: Destination; replaces?: string }
  | { file?: undefined; destination: Destination; replaces?: undefined }

/** Must run during the drop event: the browser clears the items afterwards. */
export function readDroppedEntries(items: DataTransferItemList): FileSystemEntry[] {
  return Array.from(items)
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null)
}

export async function collectEntries(entries: FileSystemEntry[], into: Destination): Promise<UploadItem[]> {
  const items: UploadItem[] = []
  for (const entry of entries) {
    if (entry.isFile) items.push({ file: await fileOf(entry as FileSystemFileEntry), destination: into })
    else items.push(...(await collectFolder(entry as FileSystemDirectoryEntry, into)))
  }
  return items
}

async function collectFolder(entry: FileSystemDirectoryEntry, into: Destination): Promise<UploadItem[]> {
  const destination = folderIn(into, entry.name)
  const inside = await collectEntries(await childrenOf(entry), destination)
  return inside.length > 0 ? inside : [{ destination }]
}

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject))

/** `readEntries` returns batches. An empty one ends the listing. */
async function childrenOf(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader()
  const children: FileSystemEntry[] = []
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (batch.length === 0) return children
    children.push(...batch)
  }
}

/** For a selected folder, `webkitRelativePath` is each file's path. */
export function collectSelected(files: Iterable<File>, into: Destination): UploadItem[] {
  const destinations = new Map<string, Destination>([['', into]])
  const destinationAt = (path: string): Destination => {
    const cached = destinations.get(path)
    if (cached) return cached
    const slash = path.lastIndexOf('/')
    const destination = folderIn(destinationAt(path.slice(0, Math.max(slash, 0))), path.slice(slash + 1))
    destinations.set(path, destination)
    return destination
  }
  return Array.from(files, (file) => {
    const path = file.webkitRelativePath
    return { file, destination: destinationAt(path.slice(0, Math.max(path.lastIndexOf('/'), 0))) }
  })
}

/** New folders are created once, when the first file needs them. */
export interface Destination {
  name: string
  id: () => Promise<FolderId>
}

export const existingFolder = (id: FolderId, name: string): Destination => ({ name, id: async () => id })

function folderIn(parent: Destination, name: string): Destination {
  let created: Promise<string> | undefined
  const create = async () => {
    const parentId = await parent.id()
    return createdFile(await api.files.create({ source: 'folder', name, parentId })).id
  }
  return {
    name,
    id: () => {
      created ??= create().catch((error: unknown) => {
        // Retrying a file creates the folder again.
        created = undefined
        throw error
      })
      return created
    },
  }
}
