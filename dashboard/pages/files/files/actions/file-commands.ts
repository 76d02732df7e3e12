import type { FileEntry } from '../files-queries.ts'

/** The commands shared by rows, menus, the selection bar and the panel; the page implements them. */
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

/** A dialog and the files it applies to. */
export type FileDialog = { action: 'move' | 'copy' | 'link' | 'tags'; files: FileEntry[] }
