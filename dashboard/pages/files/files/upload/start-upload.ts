import { createElement } from 'react'
import type { UploadedFile } from '../../../../api/upload-file.ts'
import { openDock } from '../../../../state/overlay.ts'
import {
  collectEntries,
  collectSelected,
  type Destination,
  existingFolder,
  readDroppedEntries,
  type UploadItem,
} from './collect-files.ts'
import { enqueue } from './queue.ts'
import { chooseVersions } from './replace-dialog.tsx'
import { UploadDock } from './upload-dock.tsx'

export type { UploadedFile }

type OnDone = (file: UploadedFile) => void

const DOCK = createElement(UploadDock)

export function uploadSelected(files: FileList, into: Destination, onDone?: OnDone) {
  openDock(DOCK)
  void start(collectSelected(files, into), into, onDone)
}

/** Browsers without directory entries upload only files. */
export async function uploadDropped(dropped: DataTransfer, into: Destination, onDone?: OnDone) {
  const entries = readDroppedEntries(dropped.items)
  const files = dropped.files
  openDock(DOCK)
  const items = entries.length > 0 ? await collectEntries(entries, into) : collectSelected(files, into)
  await start(items, into, onDone)
}

export function uploadVersion(id: string, file: File) {
  openDock(DOCK)
  enqueue([{ file, destination: existingFolder(null, file.name), replaces: id }])
}

async function start(items: UploadItem[], into: Destination, onDone?: OnDone) {
  const chosen = await chooseVersions(items, into)
  if (chosen) enqueue(chosen, onDone)
}
