import { api } from '../../../api/client.ts'
import { ConfirmTyped } from '../../../components/dialogs/confirm-typed.tsx'
import { toast } from '../../../components/toast.tsx'
import { formatSize, nameOrCount } from '../file-labels.ts'
import { type FileEntry, isFolder } from '../files-queries.ts'
import { refreshFiles, removeFromLists } from '../listing/list-cache.ts'

const LISTED_MAX = 5

interface PurgeDialogProps {
  files: FileEntry[]
  onClose: () => void
}

/** The end of files: says what will be gone, wants it typed, and cannot be undone. */
export function PurgeDialog({ files, onClose }: PurgeDialogProps) {
  const folders = files.filter(isFolder)
  const purge = async () => {
    try {
      for (const file of files) {
        await api.files.remove({ id: file.id, permanent: 'true' })
        removeFromLists(new Set([file.id]))
      }
      toast(`Deleted ${nameOrCount(files)} for good`)
    } finally {
      void refreshFiles()
    }
  }
  return (
    <ConfirmTyped
      title="Delete for good"
      word={wordFor(files)}
      action="Delete for good"
      onConfirm={purge}
      onClose={onClose}
    >
      <ul className="flex flex-col gap-4 text-13 text-neutral-12">
        {files.slice(0, LISTED_MAX).map((file) => (
          <li key={file.id} className="flex justify-between gap-12">
            <span className="truncate">{file.name}</span>
            <span className="shrink-0 text-neutral-11">
              {isFolder(file) ? 'folder' : file.source === 'link' ? 'link' : formatSize(file.size)}
            </span>
          </li>
        ))}
        {files.length > LISTED_MAX && (
          <li className="text-neutral-11">and {files.length - LISTED_MAX} more</li>
        )}
      </ul>
      <p>
        {folders.length > 0 && 'Folders take everything that was in them along. '}
        Links to what goes will say that their target is missing. Nobody can bring it back.
      </p>
    </ConfirmTyped>
  )
}

/** A name that can be typed is what has to be typed; other names and many files have a word instead. */
function wordFor(files: FileEntry[]): string {
  if (files.length > 1) return `delete ${files.length} items`
  return /^[\x21-\x7e](?:[\x20-\x7e]{0,38}[\x21-\x7e])?$/.test(files[0]!.name) ? files[0]!.name : 'delete'
}
