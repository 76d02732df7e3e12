import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { counted } from '../../../../../contract/counted.ts'
import { LOCALE, t } from '../../../../../contract/text.ts'
import { api } from '../../../../api/client.ts'
import { fileApi, type TrashSummary, trashSummaryQuery } from '../../../../api/files.ts'
import { formatSize } from '../../../../components/amounts.ts'
import { ConfirmDialog } from '../../../../components/dialogs/confirm-dialog.tsx'
import { Dialog } from '../../../../components/dialogs/dialog.tsx'
import { Failure } from '../../../../components/failure.tsx'
import { Name, withNames } from '../../../../components/name.tsx'
import { SkeletonRows } from '../../../../components/skeleton.tsx'
import { nameLabel, nameOrCount } from '../file-labels.ts'
import { type FileEntry, isFolder, refreshFiles, removeFromLists } from '../files-queries.ts'

const LISTED_MAX = 5

interface PurgeDialogProps {
  files: FileEntry[]
  onClose: () => void
}

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
              {isFolder(file) ? t`Folder` : file.source === 'link' ? t`Shortcut` : formatSize(file.size)}
            </span>
          </li>
        ))}
        {files.length > LISTED_MAX && (
          <li className="text-neutral-11">and {files.length - LISTED_MAX} more</li>
        )}
      </ul>
      <p>
        {folders.length > 0 && t`Folders are deleted with their contents. `}
        {files.length === 1
          ? t`Shortcuts to this file will break. This can’t be undone.`
          : t`Shortcuts to these files will break. This can’t be undone.`}
      </p>
    </ConfirmDialog>
  )
}

/**
 * For large deletions and for folders, since their contents aren't shown. A single item's name if any keyboard can type
 * it, else a fixed phrase.
 */
function phraseFor(files: FileEntry[]): string | undefined {
  const bytes = files.reduce((total, { size }) => total + size, 0)
  if (!files.some(isFolder) && !isLarge({ files: files.length, bytes })) return undefined
  if (files.length > 1) return t`delete ${files.length} items`
  return /^[\x21-\x7e](?:[\x20-\x7e]{0,38}[\x21-\x7e])?$/.test(files[0]!.name) ? files[0]!.name : 'delete'
}

export function EmptyTrashDialog({ onClose }: { onClose: () => void }) {
  const summary = useQuery({ ...trashSummaryQuery, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 })
  if (summary.data) return <Confirmation summary={summary.data} onClose={onClose} />
  return (
    <Dialog title="Empty trash" onClose={onClose}>
      {summary.error ? (
        <Failure error={summary.error} onRetry={() => summary.refetch()} />
      ) : (
        <SkeletonRows rows={2} />
      )}
    </Dialog>
  )
}

function Confirmation({ summary, onClose }: { summary: TrashSummary; onClose: () => void }) {
  const { entries, files, bytes, others, at } = summary
  const [deletedCount, setDeletedCount] = useState<number>()
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  /** Closing the dialog stops it: deleted files stay deleted, the rest stay in the trash. */
  const empty = async () => {
    try {
      for (let total = 0, isDone = false; !isDone && isOpen.current; ) {
        const part = await fileApi.fileTrash.empty({ before: at })
        total += part.deleted
        isDone = part.done
        setDeletedCount(total)
      }
    } finally {
      void refreshFiles()
    }
  }
  if (entries === 0)
    return (
      <Dialog size="small" title="Empty trash" onClose={onClose}>
        <p className="text-neutral-11">Only admins and the files’ creators can permanently delete them.</p>
      </Dialog>
    )
  return (
    <ConfirmDialog
      title="Empty trash"
      phrase={isLarge({ files, bytes }) ? t`empty trash` : undefined}
      action="Empty trash"
      mutate={empty}
      success={t`Trash emptied`}
      onClose={onClose}
    >
      <p>
        <strong className="font-medium text-neutral-12">
          {counted(entries, 'item')}
          {files !== entries && ` (${counted(files, 'file')})`}, {formatSize(bytes)}
        </strong>
      </p>
      <p>
        {entries === 1
          ? t`It’s permanently deleted with all versions. This can’t be undone.`
          : t`They’re permanently deleted with all versions. This can’t be undone.`}
      </p>
      {others > 0 && (
        <p>
          {others === 1
            ? t`1 item from another member isn’t deleted.`
            : t`${others.toLocaleString(LOCALE)} items from other members aren’t deleted.`}
        </p>
      )}
      {deletedCount !== undefined && (
        <div>
          <p role="status" className="pb-4 text-12 tabular-nums">
            Deleted {deletedCount.toLocaleString(LOCALE)} of {entries.toLocaleString(LOCALE)}
          </p>
          <progress
            aria-label="Deletion progress"
            value={Math.min(deletedCount / entries, 1)}
            className="bar block h-4 w-full overflow-hidden rounded-round"
          />
        </div>
      )}
    </ConfirmDialog>
  )
}

/** Larger deletions require a typed phrase. */
const FILES_MAX = 20
const BYTES_MAX = 104_857_600

const isLarge = ({ files, bytes }: { files: number; bytes: number }) => files > FILES_MAX || bytes > BYTES_MAX
