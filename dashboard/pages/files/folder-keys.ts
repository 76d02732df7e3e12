import {
  Copy,
  CornerLeftUp,
  Download,
  FileUp,
  FolderInput,
  FolderPlus,
  Info,
  Pencil,
  SquareCheck,
  Tag,
  Trash2,
  X,
} from 'lucide-react'
import { type PageKey, usePageKeys } from '../../frame/page-keys.ts'
import { download } from './actions/file-actions.ts'
import type { FileCommands } from './actions/file-commands.ts'
import { type FileEntry, isFolder } from './files-queries.ts'
import type { Selection } from './listing/selection.ts'

interface FolderKeys {
  items: FileEntry[]
  selection: Selection
  commands: FileCommands
  openId: string | undefined
  upload: () => void
  newFolder: () => void
  goUp: (() => void) | undefined
  readOnly: boolean
}

/** The keys of a folder. They mean the chosen rows, else the row that has the focus, else the file in the panel. */
export function useFolderKeys({
  items,
  selection,
  commands,
  openId,
  upload,
  newFolder,
  goUp,
  readOnly,
}: FolderKeys) {
  const focused = () => {
    const id = document.activeElement?.closest('tr')?.querySelector<HTMLElement>('[data-row-link]')
      ?.dataset.rowLink
    return items.find((item) => item.id === (id ?? openId))
  }
  const targets = () => {
    if (selection.files.length > 0) return selection.files
    const file = focused()
    return file ? [file] : []
  }
  const withOne = (act: (file: FileEntry) => unknown) => () => {
    const file = focused()
    if (!file) return false
    act(file)
  }
  const withAll =
    (act: (files: FileEntry[]) => unknown, fits: (file: FileEntry) => boolean = () => true) =>
    () => {
      const files = targets().filter(fits)
      if (files.length === 0) return false
      act(files)
    }
  const isFree = (file: FileEntry) => !file.protected && !readOnly
  const toggle = withOne((file) => selection.toggle(file.id))
  const keys: PageKey[] = [
    { label: 'Select the row', keys: 'x', icon: SquareCheck, run: toggle },
    { label: 'Select the row', keys: ' ', icon: SquareCheck, unlisted: true, run: toggle },
    {
      label: 'Select up to the row',
      keys: 'X',
      icon: SquareCheck,
      run: withOne((file) => selection.extend(file.id)),
    },
    { label: 'Select all', keys: 'mod+a', icon: SquareCheck, run: selection.all },
    { label: 'Clear the selection', keys: 'Escape', icon: X, unlisted: true, run: () => clearing(selection) },
    {
      label: 'Rename',
      keys: 'F2',
      icon: Pencil,
      run: withOne((file) => isFree(file) && commands.startRename(file)),
    },
    { label: 'Details', keys: 'i', icon: Info, run: withOne(commands.showDetails) },
    {
      label: 'Move to…',
      keys: 'm',
      icon: FolderInput,
      run: withAll((files) => commands.ask({ about: 'move', files }), isFree),
    },
    {
      label: 'Copy to…',
      keys: 'c',
      icon: Copy,
      run: withAll(
        (files) => commands.ask({ about: 'copy', files }),
        (file) => !isFolder(file),
      ),
    },
    {
      label: 'Tags',
      keys: 't',
      icon: Tag,
      run: withAll(
        (files) => commands.ask({ about: 'tags', files }),
        () => !readOnly,
      ),
    },
    { label: 'Download', keys: 'd', icon: Download, run: withAll(download) },
    { label: 'Move to trash', keys: 'Delete', icon: Trash2, run: withAll(commands.remove, isFree) },
    { label: 'Upload files', keys: 'u', icon: FileUp, run: () => !readOnly && upload() },
    { label: 'New folder', keys: 'N', icon: FolderPlus, run: () => !readOnly && newFolder() },
    {
      label: 'Folder above',
      keys: 'Backspace',
      icon: CornerLeftUp,
      run: () => {
        if (!goUp) return false
        goUp()
      },
    },
  ]
  usePageKeys(keys)
}

function clearing(selection: Selection) {
  if (selection.ids.size === 0) return false
  selection.clear()
}
