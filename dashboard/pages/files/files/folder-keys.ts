import {
  Copy,
  CornerLeftUp,
  Download,
  Expand,
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
import { t } from '../../../../contract/text.ts'
import { focusedRow } from '../../../frame/list-keys.ts'
import { type PageKey, usePageKeys } from '../../../frame/page-keys.ts'
import type { FileCommands } from './actions/file-commands.ts'
import { download } from './file-actions.ts'
import { type FileEntry, isFolder } from './files-queries.ts'
import type { Selection } from './selection.ts'

interface FolderKeys {
  items: FileEntry[]
  selection: Selection
  commands: FileCommands
  openId: string | undefined
  upload: () => void
  newFolder: () => void
  goUp: (() => void) | undefined
  readOnly: boolean
  canCopy: boolean
}

/** Apply to the selected rows, else the focused row, else the panel's file. */
export function useFolderKeys({
  items,
  selection,
  commands,
  openId,
  upload,
  newFolder,
  goUp,
  readOnly,
  canCopy,
}: FolderKeys) {
  const focusedFile = () => {
    const id = focusedRow() ?? openId
    return items.find((item) => item.id === id)
  }
  const targets = () => {
    if (selection.files.length > 0) return selection.files
    const file = focusedFile()
    return file ? [file] : []
  }
  const onFocused = (run: (file: FileEntry) => unknown) => () => {
    const file = focusedFile()
    if (!file) return false
    run(file)
  }
  const onTargets =
    (run: (files: FileEntry[]) => unknown, applies: (file: FileEntry) => boolean = () => true) =>
    () => {
      const files = targets().filter(applies)
      if (files.length === 0) return false
      run(files)
    }
  const isEditable = (file: FileEntry) => !file.protected && !readOnly
  const toggle = onFocused((file) => selection.toggle(file.id))
  const keys: PageKey[] = [
    { label: t`Select row`, keys: 'x', icon: SquareCheck, run: toggle },
    { label: t`Select row`, keys: ' ', icon: SquareCheck, unlisted: true, run: toggle },
    {
      label: t`Select range`,
      keys: 'X',
      icon: SquareCheck,
      run: onFocused((file) => selection.extend(file.id)),
    },
    { label: t`Select all`, keys: 'mod+a', icon: SquareCheck, run: selection.selectAll },
    {
      label: t`Clear selection`,
      keys: 'Escape',
      icon: X,
      unlisted: true,
      run: () => clearSelection(selection),
    },
    {
      label: t`Rename`,
      keys: 'F2',
      icon: Pencil,
      run: onFocused((file) => isEditable(file) && commands.startRename(file)),
    },
    {
      label: t`View`,
      keys: 'v',
      icon: Expand,
      run: onFocused((file) => !isFolder(file) && !file.targetMissing && commands.view(file)),
    },
    { label: t`Details`, keys: 'i', icon: Info, run: onFocused(commands.showDetails) },
    {
      label: t`Move to…`,
      keys: 'm',
      icon: FolderInput,
      run: onTargets((files) => commands.openDialog({ action: 'move', files }), isEditable),
    },
    {
      label: t`Copy to…`,
      keys: 'c',
      icon: Copy,
      run: onTargets(
        (files) => commands.openDialog({ action: 'copy', files }),
        (file) => canCopy && !isFolder(file),
      ),
    },
    {
      label: t`Tags`,
      keys: 't',
      icon: Tag,
      run: onTargets(
        (files) => commands.openDialog({ action: 'tags', files }),
        () => !readOnly,
      ),
    },
    { label: t`Download`, keys: 'd', icon: Download, run: onTargets(download) },
    { label: t`Move to trash`, keys: 'Delete', icon: Trash2, run: onTargets(commands.remove, isEditable) },
    { label: t`Upload files`, keys: 'u', icon: FileUp, run: () => !readOnly && upload() },
    { label: t`New folder`, keys: 'N', icon: FolderPlus, run: () => !readOnly && newFolder() },
    {
      label: t`Parent folder`,
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

function clearSelection(selection: Selection) {
  if (selection.ids.size === 0) return false
  selection.clear()
}
