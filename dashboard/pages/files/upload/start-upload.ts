import { createElement } from 'react'
import type { UploadedFile } from '../../../api/upload-file.ts'
import { openDock } from '../../../state/dock.ts'
import { collectEntries, collectSelected, entriesOf } from './collect-files.ts'
import type { Destination } from './destinations.ts'
import { enqueue } from './queue.ts'
import { UploadDock } from './upload-dock.tsx'

export type { UploadedFile }

/** Called for each uploaded file. */
type OnDone = (file: UploadedFile) => void

const DOCK = createElement(UploadDock)

export function uploadSelected(files: FileList, into: Destination, onDone?: OnDone) {
  openDock(DOCK)
  enqueue(collectSelected(files, into), onDone)
}

/** Uploads dropped files and folders; in browsers without directory entries, only files. */
export async function uploadDropped(dropped: DataTransfer, into: Destination, onDone?: OnDone) {
  const entries = entriesOf(dropped.items)
  const files = dropped.files
  openDock(DOCK)
  enqueue(entries.length > 0 ? await collectEntries(entries, into) : collectSelected(files, into), onDone)
}
