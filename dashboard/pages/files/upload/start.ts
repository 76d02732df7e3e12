import { createElement } from 'react'
import { openDock } from '../../../state/dock.ts'
import type { Place } from './destinations.ts'
import { entriesOf, gatherChosen, gatherEntries } from './gather.ts'
import { enqueue } from './queue.ts'
import type { UploadedFile } from './send.ts'
import { UploadDock } from './upload-dock.tsx'

export type { UploadedFile }

/** Hears of each file as soon as it has arrived. */
type OnDone = (file: UploadedFile) => void

const DOCK = createElement(UploadDock)

export function uploadChosen(files: FileList, into: Place, onDone?: OnDone) {
  openDock(DOCK)
  enqueue(gatherChosen(files, into), onDone)
}

/** Files and folders from the desktop. Browsers that hand over plain files only still send those. */
export async function uploadDropped(dropped: DataTransfer, into: Place, onDone?: OnDone) {
  const entries = entriesOf(dropped.items)
  const files = dropped.files
  openDock(DOCK)
  enqueue(entries.length > 0 ? await gatherEntries(entries, into) : gatherChosen(files, into), onDone)
}
