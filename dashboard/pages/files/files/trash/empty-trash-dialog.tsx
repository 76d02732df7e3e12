import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { counted } from '../../../../../contract/counted.ts'
import { fileApi, type TrashSummary, trashSummaryQuery } from '../../../../api/files/files.ts'
import { formatSize } from '../../../../components/amounts.ts'
import { ConfirmDialog } from '../../../../components/dialogs/confirm-dialog.tsx'
import { Dialog } from '../../../../components/dialogs/dialog.tsx'
import { Failure } from '../../../../components/failure.tsx'
import { SkeletonRows } from '../../../../components/skeleton.tsx'
import { refreshFiles } from '../listing/list-cache.ts'
import { isLarge } from './large.ts'

/** Shows how much is deleted, requests confirmation, and shows the progress. */
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
  /** Ends when the dialog is closed: files that were deleted by then stay deleted, and the rest stays in the trash. */
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
        <p className="text-neutral-11">Only their creators and admins can permanently delete these files.</p>
      </Dialog>
    )
  return (
    <ConfirmDialog
      title="Empty trash"
      phrase={isLarge({ files, bytes }) ? 'empty trash' : undefined}
      action="Empty trash"
      mutate={empty}
      success="Emptied the trash"
      onClose={onClose}
    >
      <p>
        <strong className="font-medium text-neutral-12">
          {counted(entries, 'item')}
          {files !== entries && ` with ${counted(files, 'file')}`}, {formatSize(bytes)}
        </strong>{' '}
        {entries === 1 ? 'is' : 'are'} deleted permanently, with all versions. This can’t be undone.
      </p>
      {others > 0 && <p>{counted(others, 'item')} of other people stay in the trash.</p>}
      {deletedCount !== undefined && (
        <div>
          <p role="status" className="pb-4 text-12 tabular-nums">
            Deleted {deletedCount.toLocaleString('en')} of {entries.toLocaleString('en')}
          </p>
          <progress
            aria-label="Progress of the deletion"
            value={Math.min(deletedCount / entries, 1)}
            className="bar block h-4 w-full overflow-hidden rounded-round"
          />
        </div>
      )}
    </ConfirmDialog>
  )
}
