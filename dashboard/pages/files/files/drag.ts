import { type DragEvent, useState } from 'react'
import { move } from './file-actions.ts'
import { nameOrCount } from './file-labels.ts'
import type { FileEntry, FolderId } from './files-queries.ts'
import { existingFolder } from './upload/collect-files.ts'
import { uploadDropped } from './upload/start-upload.ts'

/** During a drag the browser exposes the data's types but not the data. */
let draggedFiles: FileEntry[] = []
const ROWS_TYPE = 'application/x-atrium-files'

export function startDrag(event: DragEvent, files: FileEntry[]) {
  draggedFiles = files.filter((file) => !file.protected)
  if (draggedFiles.length === 0) return event.preventDefault()
  event.dataTransfer.effectAllowed = 'move'
  event.dataTransfer.setData(ROWS_TYPE, '')
  const label = document.createElement('div')
  label.textContent = nameOrCount(draggedFiles)
  label.className =
    'fixed top-0 -left-full max-w-filter truncate rounded-control bg-selection-solid px-12 py-8 text-13 text-on-accent'
  document.body.append(label)
  event.dataTransfer.setDragImage(label, 0, 0)
  setTimeout(() => label.remove())
}

interface DropTarget {
  folderId: FolderId
  name: string
  /** Accepts only desktop files: this list's rows are already in the folder. */
  filesOnly?: boolean
  disabled?: boolean
}

/** Moves rows and uploads desktop files. */
export function useDropTarget({ folderId, name, filesOnly, disabled }: DropTarget) {
  // A child's `dragenter` fires before its parent's `dragleave`.
  const [depth, setDepth] = useState(0)
  const accepts = (event: DragEvent) =>
    !disabled &&
    (event.dataTransfer.types.includes('Files') ||
      (!filesOnly &&
        event.dataTransfer.types.includes(ROWS_TYPE) &&
        draggedFiles.every(({ id }) => id !== folderId)))
  return {
    over: depth > 0,
    target: {
      onDragEnter: (event: DragEvent) => {
        if (accepts(event)) setDepth((current) => current + 1)
      },
      onDragLeave: (event: DragEvent) => {
        if (accepts(event)) setDepth((current) => Math.max(current - 1, 0))
      },
      onDragOver: (event: DragEvent) => {
        if (!accepts(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = event.dataTransfer.types.includes('Files') ? 'copy' : 'move'
      },
      onDrop: (event: DragEvent) => {
        setDepth(0)
        // A nested drop target handled the event.
        if (!accepts(event) || event.defaultPrevented) return
        event.preventDefault()
        if (event.dataTransfer.types.includes('Files')) {
          void uploadDropped(event.dataTransfer, existingFolder(folderId, name))
        } else void move(draggedFiles, folderId, name)
      },
    },
  }
}
