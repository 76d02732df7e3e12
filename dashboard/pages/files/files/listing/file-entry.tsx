import { Link } from '@tanstack/react-router'
import type { DragEvent } from 'react'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { NameInput } from '../../../../components/forms/name-input.tsx'
import { Name } from '../../../../components/name.tsx'
import type { RowContext } from '../actions/file-commands.ts'
import { startDrag, useDropTarget } from '../drag.ts'
import { extensionStart, nameLabel } from '../file-labels.ts'
import { type FileEntry, isFolder } from '../files-queries.ts'
import { useReadOnly } from '../read-only.ts'
import { selectOnClick } from '../selection.ts'

export interface FileEntryProps {
  file: FileEntry
  context: RowContext
  selected: boolean
  current: boolean
  renaming: boolean
}

/** Shared by rows and tiles. */
export function useFileEntry({ file, context, selected, current, renaming }: FileEntryProps) {
  const { dragGroup, select } = context
  const readOnly = useReadOnly()
  const { over, target } = useDropTarget({
    folderId: file.id,
    name: file.name,
    disabled: !isFolder(file) || readOnly,
  })
  const entry = {
    ...target,
    draggable: !renaming && !readOnly,
    onDragStart: (event: DragEvent) => startDrag(event, dragGroup(file)),
    onClickCapture: selectOnClick((mode) => select(file, mode)),
    'aria-current': current || undefined,
    'data-selected': selected || undefined,
  }
  return { over, entry }
}

interface SelectFileProps extends Pick<FileEntryProps, 'file' | 'context' | 'selected'> {
  className: string
}

export function SelectFile({ file, context, selected, className }: SelectFileProps) {
  return (
    <input
      type="checkbox"
      aria-label={textWithNames`Select ${nameLabel(file.name)}`}
      checked={selected}
      onChange={(event) => {
        const shift = (event.nativeEvent as unknown as PointerEvent).shiftKey
        context.select(file, shift ? 'extend' : 'toggle')
      }}
      className={`z-1 block size-16 opacity-0 checked:opacity-100 focus-visible:opacity-100 group-hover/row:opacity-100 in-data-selecting:opacity-100 pointer-coarse:opacity-100 ${className}`}
    />
  )
}

export function RenameFile({ file, context }: Pick<FileEntryProps, 'file' | 'context'>) {
  return (
    <NameInput
      label={textWithNames`New name for ${file.name}`}
      name={file.name}
      selectTo={extensionStart(file.name)}
      onDone={(name) => context.commands.rename(file, name)}
    />
  )
}

export function FileLink({ file, opens }: { file: FileEntry; opens: 'panel' | 'viewer' }) {
  const shared = {
    draggable: false,
    'data-row-link': file.id,
    title: file.name,
    className: 'row-link min-w-0 truncate outline-none',
    children: <Name>{nameLabel(file.name)}</Name>,
  } as const
  if (isFolder(file)) return <Link to="/files/$id" params={{ id: file.id }} data-leads-on {...shared} />
  return opens === 'viewer' ? (
    <Link to="." search={(current) => ({ ...current, view: file.id })} data-leads-on {...shared} />
  ) : (
    <Link to="." search={(current) => ({ ...current, file: file.id })} {...shared} />
  )
}
