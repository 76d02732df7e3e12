import { api } from '../../../../api/client.ts'
import { formatSize } from '../../../../components/amounts.ts'
import { ConfirmDialog } from '../../../../components/dialogs/confirm-dialog.tsx'
import { Name, withNames } from '../../../../components/name.tsx'
import { nameLabel, nameOrCount } from '../file-labels.ts'
import { type FileEntry, isFolder } from '../files-queries.ts'
import { refreshFiles, removeFromLists } from '../listing/list-cache.ts'
import { isLarge } from './large.ts'

const LISTED_MAX = 5

interface PurgeDialogProps {
  files: FileEntry[]
  onClose: () => void
}

/** Confirms the permanent deletion of files in the trash. */
export function PurgeDialog({ files, onClose }: PurgeDialogProps) {
  const folders = files.filter(isFolder)
  const purge = async () => {
    try {
      for (const file of files) {
        await api.files.remove({ id: file.id, permanent: 'true' })
        removeFromLists(new Set([file.id]))
      }
    } finally {
      void refreshFiles()
    }
  }
  return (
    <ConfirmDialog
      title="Delete permanently"
      phrase={phraseFor(files)}
      action="Delete permanently"
      mutate={purge}
      success={withNames`Deleted ${nameOrCount(files)} permanently`}
      onClose={onClose}
    >
      <ul className="flex flex-col gap-4 text-13 text-neutral-12">
        {files.slice(0, LISTED_MAX).map((file) => (
          <li key={file.id} className="flex justify-between gap-12">
            <span className="truncate">
              <Name>{nameLabel(file.name)}</Name>
            </span>
            <span className="shrink-0 text-neutral-11">
              {isFolder(file) ? 'Folder' : file.source === 'link' ? 'Shortcut' : formatSize(file.size)}
            </span>
          </li>
        ))}
        {files.length > LISTED_MAX && (
          <li className="text-neutral-11">and {files.length - LISTED_MAX} more</li>
        )}
      </ul>
      <p>
        {folders.length > 0 && 'Folders are deleted with their contents. '}
        Shortcuts to {files.length === 1 ? 'this file' : 'these files'} will break. This can’t be undone.
      </p>
    </ConfirmDialog>
  )
}

/**
 * The phrase to type for large deletions and folders, whose contents are not shown: the name of a single item if any
 * keyboard can type it, otherwise a fixed phrase.
 */
function phraseFor(files: FileEntry[]): string | undefined {
  const bytes = files.reduce((total, { size }) => total + size, 0)
  if (!files.some(isFolder) && !isLarge({ files: files.length, bytes })) return undefined
  if (files.length > 1) return `delete ${files.length} items`
  return /^[\x21-\x7e](?:[\x20-\x7e]{0,38}[\x21-\x7e])?$/.test(files[0]!.name) ? files[0]!.name : 'delete'
}
