import type { MouseEvent } from 'react'
import type { FileEntry } from '../files-queries.ts'
import type { RowContext } from './file-row.tsx'

/** Selects instead of opening: up to this file with Shift, this file too with Ctrl or the command key. */
export const selectOnClick = (file: FileEntry, select: RowContext['select']) => (event: MouseEvent) => {
  const mode = event.shiftKey ? 'extend' : event.metaKey || event.ctrlKey ? 'toggle' : undefined
  if (!mode || (event.target as HTMLElement).closest('button, input')) return
  event.preventDefault()
  select(file, mode)
}
