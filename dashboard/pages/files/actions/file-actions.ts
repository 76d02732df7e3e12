import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { api } from '../../../api/client.ts'
import { explainShortly, isDeclinedStepUp } from '../../../api/explain.ts'
import { toast } from '../../../components/toast.tsx'
import { copyName, nameOrCount } from '../file-labels.ts'
import { type FileEntry, type FolderId, isFolder } from '../files-queries.ts'
import { refreshFiles, removeFromLists, updateInLists } from '../listing/list-cache.ts'

/** What can be done to files, shown at once and said afterwards, each with its way back. */

export async function rename(file: FileEntry, name: string) {
  updateInLists(file.id, { name })
  await attempt(async () => {
    await api.files.update({ id: file.id, name })
    toast(
      `Renamed to ${name}`,
      undo(() => renameBack(file)),
    )
  })
}

async function renameBack(file: FileEntry) {
  updateInLists(file.id, { name: file.name })
  await attempt(() => api.files.update({ id: file.id, name: file.name }))
}

export async function move(files: FileEntry[], to: FolderId, destinationName: string) {
  const moving = files.filter((file) => file.parentId !== to && file.id !== to)
  if (moving.length === 0) return
  removeFromLists(idsOf(moving))
  const moved = await each(moving, (file) => api.files.update({ id: file.id, parentId: to }))
  if (moved.length === 0) return
  toast(
    `Moved ${nameOrCount(moved)} to ${destinationName}`,
    undo(() => each(moved, (file) => api.files.update({ id: file.id, parentId: file.parentId }))),
  )
}

export async function remove(files: FileEntry[]) {
  const open = files.filter((file) => !file.protected)
  removeFromLists(idsOf(open))
  const gone = await each(open, (file) => api.files.remove({ id: file.id }))
  if (gone.length > 0)
    toast(
      `Moved ${nameOrCount(gone)} to the trash`,
      undo(() => bringBack(gone)),
    )
}

export async function restore(files: FileEntry[]) {
  const back = await bringBack(files)
  if (back.length > 0) toast(`Restored ${nameOrCount(back)}`)
}

function bringBack(files: FileEntry[]) {
  return each(files, async (file) => {
    await api.files.restore({ id: file.id })
    hideFromTrash(file)
  })
}

const hideFromTrash = (file: FileEntry) => removeFromLists(new Set([file.id]))

export async function copy(files: FileEntry[], to: FolderId, destinationName: string) {
  const made: FileEntry[] = []
  await each(files, async (file) => {
    const name = file.parentId === to ? copyName(file.name) : file.name
    made.push(await api.files.copy({ id: file.id, parentId: to, name }))
  })
  if (made.length === 0) return
  toast(
    made.length === 1
      ? `Copied as ${made[0]!.name} to ${destinationName}`
      : `Copied ${nameOrCount(made)} to ${destinationName}`,
    undo(() => each(made, (file) => api.files.remove({ id: file.id }))),
  )
}

export async function link(files: FileEntry[], to: FolderId, destinationName: string) {
  const made: FileEntry[] = []
  await each(files, async (file) => {
    made.push(createdFile(await api.files.create({ source: 'link', targetFileId: file.id, parentId: to })))
  })
  if (made.length === 0) return
  toast(
    `Linked ${nameOrCount(made)} in ${destinationName}`,
    undo(() => each(made, (file) => api.files.remove({ id: file.id }))),
  )
}

export async function makeFolder(name: string, parentId: FolderId): Promise<FileEntry | undefined> {
  let folder: FileEntry | undefined
  await attempt(async () => {
    folder = createdFile(await api.files.create({ source: 'folder', name, parentId }))
  })
  return folder
}

export async function retag(file: FileEntry, tags: string[]) {
  updateInLists(file.id, { tags })
  await attempt(() => api.files.update({ id: file.id, tags }))
}

/** A folder comes as a zip file. */
export function download(files: FileEntry[]) {
  for (const file of files) {
    const anchor = document.createElement('a')
    anchor.href = downloadUrl(file)
    anchor.download = isFolder(file) ? `${file.name}.zip` : file.name
    anchor.click()
  }
}

export const downloadUrl = (file: FileEntry) =>
  isFolder(file) ? `/api/v1/files/${file.id}/archive` : `/api/v1/files/${file.id}?download=true`

export const inlineUrl = ({ id }: FileEntry) => `/api/v1/files/${id}?download=true&inline=true`

/** The page that shows it, to hand on. */
export const pageUrl = (file: FileEntry) =>
  isFolder(file)
    ? `${location.origin}/files/${file.id}`
    : `${location.origin}/files${file.parentId ? `/${file.parentId}` : ''}?file=${file.id}`

/** JSON is answered with the record inside an envelope of its own, a form with the record itself. */
export const createdFile = (answer: OutputOf<Contract['files']['create']>): FileEntry =>
  'file' in answer ? answer.file : answer

const idsOf = (files: FileEntry[]) => new Set(files.map(({ id }) => id))
const undo = (run: () => unknown) => ({ label: 'Undo', run: () => void run() })

async function attempt(act: () => Promise<unknown>) {
  try {
    await act()
  } catch (error) {
    if (!isDeclinedStepUp(error)) toast(explainShortly(error))
  }
  await refreshFiles()
}

/** One after the other, because a folder may hold the next; what is refused is said, and the rest goes on. */
export async function each(files: FileEntry[], act: (file: FileEntry) => Promise<unknown>) {
  const done: FileEntry[] = []
  const refused: string[] = []
  for (const file of files) {
    try {
      await act(file)
      done.push(file)
    } catch (error) {
      if (isDeclinedStepUp(error)) break
      refused.push(`${file.name}: ${explainShortly(error)}`)
    }
  }
  if (refused.length > 0) {
    toast(refused.length > 1 ? `${refused[0]}, and ${refused.length - 1} more` : refused[0]!)
  }
  await refreshFiles()
  return done
}
