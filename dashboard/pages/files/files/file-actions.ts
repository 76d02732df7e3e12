import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { isDeclinedStepUp, shortMessage } from '../../../api/explain.ts'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { copyName, nameOrCount } from './file-labels.ts'
import {
  type FileEntry,
  type FolderId,
  isFolder,
  refreshFiles,
  removeFromLists,
  updateInLists,
} from './files-queries.ts'

/** Operations update optimistically, show a toast, and can be undone. */

export async function rename(file: FileEntry, name: string) {
  updateInLists(file.id, { name })
  await attempt(async () => {
    await api.files.update({ id: file.id, name })
    toast(
      withNames`Renamed to ${name}`,
      undo(() => revertRename(file)),
    )
  })
}

async function revertRename(file: FileEntry) {
  updateInLists(file.id, { name: file.name })
  await attempt(() => api.files.update({ id: file.id, name: file.name }))
}

export async function move(files: FileEntry[], to: FolderId, destinationName: string) {
  const moving = files.filter((file) => file.parentId !== to && file.id !== to)
  if (moving.length === 0) return
  removeFromLists(idsOf(moving))
  const moved = await runForEach(moving, (file) => api.files.update({ id: file.id, parentId: to }))
  if (moved.length === 0) return
  toast(
    withNames`Moved ${nameOrCount(moved)} to ${destinationName}`,
    undo(() => runForEach(moved, (file) => api.files.update({ id: file.id, parentId: file.parentId }))),
  )
}

export async function remove(files: FileEntry[]) {
  const deletable = files.filter((file) => !file.protected)
  removeFromLists(idsOf(deletable))
  const deleted = await runForEach(deletable, (file) => api.files.remove({ id: file.id }))
  if (deleted.length > 0)
    toast(
      withNames`Moved ${nameOrCount(deleted)} to trash`,
      undo(() => restoreAll(deleted)),
    )
}

export async function restore(files: FileEntry[]) {
  const restored = await restoreAll(files)
  if (restored.length > 0) toast(withNames`Restored ${nameOrCount(restored)}`)
}

function restoreAll(files: FileEntry[]) {
  return runForEach(files, async (file) => {
    await api.files.restore({ id: file.id })
    hideFromTrash(file)
  })
}

const hideFromTrash = (file: FileEntry) => removeFromLists(new Set([file.id]))

export async function copy(files: FileEntry[], to: FolderId, destinationName: string) {
  const created: FileEntry[] = []
  await runForEach(files, async (file) => {
    const name = file.parentId === to ? copyName(file.name) : file.name
    created.push(await api.files.copy({ id: file.id, parentId: to, name }))
  })
  if (created.length === 0) return
  toast(
    created.length === 1
      ? withNames`Copied as ${created[0]!.name} to ${destinationName}`
      : withNames`Copied ${nameOrCount(created)} to ${destinationName}`,
    undo(() => runForEach(created, (file) => api.files.remove({ id: file.id }))),
  )
}

export async function link(files: FileEntry[], to: FolderId, destinationName: string) {
  const created: FileEntry[] = []
  await runForEach(files, async (file) => {
    created.push(createdFile(await api.files.create({ source: 'link', targetFileId: file.id, parentId: to })))
  })
  if (created.length === 0) return
  toast(
    withNames`Created shortcut to ${nameOrCount(created)} in ${destinationName}`,
    undo(() => runForEach(created, (file) => api.files.remove({ id: file.id }))),
  )
}

export async function createFolder(name: string, parentId: FolderId): Promise<FileEntry | undefined> {
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

/** Folders download as a zip file. */
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

export const pageUrl = (file: FileEntry) =>
  isFolder(file)
    ? `${location.origin}/files/${file.id}`
    : `${location.origin}/files${file.parentId ? `/${file.parentId}` : ''}?file=${file.id}`

/** JSON responses wrap the record in `file`; form responses don't. */
export const createdFile = (response: OutputOf<Contract['files']['create']>): FileEntry =>
  'file' in response ? response.file : response

const idsOf = (files: FileEntry[]) => new Set(files.map(({ id }) => id))
const undo = (run: () => unknown) => ({ label: t`Undo`, run: () => void run() })

async function attempt(run: () => Promise<unknown>) {
  try {
    await run()
  } catch (error) {
    if (!isDeclinedStepUp(error)) toast(shortMessage(error))
  }
  await refreshFiles()
}

/** Sequential, since a folder may contain the next file. Errors don't stop the rest. */
async function runForEach(files: FileEntry[], run: (file: FileEntry) => Promise<unknown>) {
  const done: FileEntry[] = []
  const failures: string[] = []
  for (const file of files) {
    try {
      await run(file)
      done.push(file)
    } catch (error) {
      if (isDeclinedStepUp(error)) break
      failures.push(`${file.name}: ${shortMessage(error)}`)
    }
  }
  if (failures.length > 0) {
    toast(failures.length > 1 ? t`${failures[0]!} and ${failures.length - 1} more` : failures[0]!)
  }
  await refreshFiles()
  return done
}
