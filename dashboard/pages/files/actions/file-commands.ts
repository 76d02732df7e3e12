import type { FileEntry } from '../files-queries.ts'

/** What a row, its menu, the bar above and the panel can ask for; the page decides how. */
export interface FileCommands {
  showDetails: (file: FileEntry) => void
  startRename: (file: FileEntry) => void
  rename: (file: FileEntry, name: string | undefined) => void
  ask: (question: Question) => void
  remove: (files: FileEntry[]) => void
  filterByTag: (tag: string) => void
}

/** What needs a dialog to be answered. */
export type Question = { about: 'move' | 'copy' | 'link' | 'tags'; files: FileEntry[] }
