import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { focusRow } from '../../../../frame/list-keys.ts'
import { remove, rename } from '../file-actions.ts'
import type { FileEntry } from '../files-queries.ts'
import type { Selection, SelectMode } from '../selection.ts'

interface FileCommandsOptions {
  items: FileEntry[]
  selection: Selection
  isFiltered: boolean
}

export function useFileCommands({ items, selection, isFiltered }: FileCommandsOptions) {
  const navigate = useNavigate()
  const [openDialog, setOpenDialog] = useState<FileDialog>()
  const [renamingId, setRenamingId] = useState<string>()

  const showPanel = (id: string | undefined) =>
    navigate({ to: '.', search: (previous) => ({ ...previous, file: id }) })
  const latest: RowCommands = {
    view: (file) => void navigate({ to: '.', search: (previous) => ({ ...previous, view: file.id }) }),
    showDetails: (file) => void showPanel(file.id),
    startRename: (file) => setRenamingId(file.id),
    rename: (file, name) => {
      setRenamingId(undefined)
      if (name) void rename(file, name)
      requestAnimationFrame(() => focusRow(file.id))
    },
    openDialog: setOpenDialog,
    remove: async (files) => {
      const removedIds = new Set(files.map(({ id }) => id))
      const next = adjacentRow(items, removedIds)
      selection.clear()
      void remove(files)
      await navigate({
        to: '.',
        search: (previous) =>
          previous.file && removedIds.has(previous.file) ? { ...previous, file: undefined } : previous,
      })
      if (next) focusRow(next)
    },
    filterByTag: (tag) => void navigate({ to: '.', search: (previous) => ({ sort: previous.sort, tag }) }),
    dragGroup: (file) => (selection.ids.has(file.id) ? selection.files : [file]),
    select: (file, mode) => selection[mode](file.id),
  }
  const stable = useStable(latest)
  const context = useMemo<RowContext>(
    () => ({ commands: stable, dragGroup: stable.dragGroup, select: stable.select, isSearch: isFiltered }),
    [stable, isFiltered],
  )
  return { commands: stable, openDialog, closeDialog: () => setOpenDialog(undefined), renamingId, context }
}

type RowCommands = FileCommands & Pick<RowContext, 'dragGroup' | 'select'>

/** Stable wrappers, so a thousand memoized rows don't rerender. */
function useStable(latest: RowCommands): RowCommands {
  const ref = useRef(latest)
  useEffect(() => {
    ref.current = latest
  })
  return useMemo(
    () => ({
      view: (file) => ref.current.view(file),
      showDetails: (file) => ref.current.showDetails(file),
      startRename: (file) => ref.current.startRename(file),
      rename: (file, name) => ref.current.rename(file, name),
      openDialog: (dialog) => ref.current.openDialog(dialog),
      remove: (files) => ref.current.remove(files),
      filterByTag: (tag) => ref.current.filterByTag(tag),
      dragGroup: (file) => ref.current.dragGroup(file),
      select: (file, mode) => ref.current.select(file, mode),
    }),
    [],
  )
}

/** The next row, else the previous. */
function adjacentRow(items: FileEntry[], removedIds: ReadonlySet<string>): string | undefined {
  const last = items.findLastIndex(({ id }) => removedIds.has(id))
  const after = items.slice(last + 1).find(({ id }) => !removedIds.has(id))
  return (after ?? items.slice(0, Math.max(last, 0)).findLast(({ id }) => !removedIds.has(id)))?.id
}

/** Shared by rows, menus, the selection bar and the panel. The page implements them. */
export interface FileCommands {
  /** Opens the viewer. */
  view: (file: FileEntry) => void
  showDetails: (file: FileEntry) => void
  startRename: (file: FileEntry) => void
  rename: (file: FileEntry, name: string | undefined) => void
  openDialog: (dialog: FileDialog) => void
  remove: (files: FileEntry[]) => void
  filterByTag: (tag: string) => void
}

type FileDialog = { action: 'move' | 'copy' | 'link' | 'tags' | 'for-each'; files: FileEntry[] }

export interface RowContext {
  commands: FileCommands
  /** Dragged together: the selection if it contains the file. */
  dragGroup: (file: FileEntry) => FileEntry[]
  select: (file: FileEntry, mode: SelectMode) => void
  /** Search results span subfolders, so each shows its path. */
  isSearch: boolean
}
