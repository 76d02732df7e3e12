import { createElement } from 'react'
import { openDock } from '../../../state/dock.ts'
import { entriesOf, gatherChosen, gatherEntries } from './gather.ts'
import type { Place } from './places.ts'
import { enqueue } from './queue.ts'
import { UploadDock } from './upload-dock.tsx'

const DOCK = createElement(UploadDock)

export function uploadChosen(files: FileList, into: Place) {
  openDock(DOCK)
  enqueue(gatherChosen(files, into))
}

/** Files and folders from the desktop. Browsers that hand over plain files only still send those. */
export async function uploadDropped(dropped: DataTransfer, into: Place) {
  const entries = entriesOf(dropped.items)
  const files = dropped.files
  openDock(DOCK)
  enqueue(entries.length > 0 ? await gatherEntries(entries, into) : gatherChosen(files, into))
}
