import { useInfiniteQuery } from '@tanstack/react-query'
import { Bot, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { counted } from '../../../../contract/counted.ts'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { formatCost, isCostKnown } from '../../../components/amounts.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogFooter } from '../../../components/dialogs/dialog.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { type Meaning, Status } from '../../../components/status.tsx'
import { LoadMore } from '../../../components/table/scroll-end.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { useCanvas } from '../canvas-context.ts'
import { refreshHistory, runsQuery, undoRestore } from './restore.ts'

const STATES: Record<string, { meaning: Meaning; label: string }> = {
  queued: { meaning: 'neutral', label: t`Queued` },
  running: { meaning: 'accent', label: t`Running` },
  waiting: { meaning: 'warning', label: t`Waiting` },
  succeeded: { meaning: 'good', label: t`Succeeded` },
  failed: { meaning: 'bad', label: t`Failed` },
  canceled: { meaning: 'neutral', label: t`Canceled` },
}

export function RunsList({ projectId }: { projectId: string }) {
  const { editable } = useCanvas()
  const list = useInfiniteQuery(runsQuery(projectId))
  const canEdit = editable.use()
  if (list.isPending) return <SkeletonRows rows={4} />
  if (list.error && !list.data) return <Failure error={list.error} onRetry={() => list.refetch()} />
  const runs = list.data?.pages.flatMap((page) => page.items) ?? []
  if (runs.length === 0) {
    return (
      <Empty icon={Bot} title="No runs yet">
        Agent runs appear here with their status and cost. You can revert a failed run’s changes.
      </Empty>
    )
  }
  const failedRun = runs.find(({ status }) => status === 'failed')
  return (
    <>
      {canEdit && failedRun && !failedRun.restoredAt && (
        <RevertRun projectId={projectId} title={failedRun.title} />
      )}
      <ul>
        {runs.map(({ id, title, status, error, cost, createdAt, restoredAt }) => (
          <li key={id} className="flex flex-col gap-4 border-neutral-6 border-b px-16 py-8 text-13">
            <div className="flex items-center gap-12">
              <span className="min-w-0 flex-1 truncate font-medium">{title ?? t`Untitled run`}</span>
              <Status meaning={STATES[status]!.meaning}>{STATES[status]!.label}</Status>
            </div>
            <p className="flex flex-wrap gap-x-8 text-12 text-neutral-11 tabular-nums">
              <Time at={createdAt} />
              {isCostKnown(cost) && <span>{formatCost(cost)}</span>}
              {restoredAt && <span>Reverted</span>}
            </p>
            {error && <p className="break-words text-12 text-bad-text">{error}</p>}
          </li>
        ))}
      </ul>
      <LoadMore list={list} shown={runs.length} loaded={runs.length} />
    </>
  )
}

function RevertRun({ projectId, title }: { projectId: string; title: string | null }) {
  const [conflict, setConflict] = useState<string>()
  const [busy, setBusy] = useState(false)
  const name = title ? `“${title}”` : t`the last failed run`
  const revert = async (force: boolean) => {
    setBusy(true)
    try {
      const { blocks, snapshotId } = await api.runs.restoreLast({
        projectId,
        force: force ? 'true' : undefined,
      })
      setConflict(undefined)
      toast(withNames`Reverted ${name}: ${counted(blocks.length, 'block')}`, {
        label: t`Undo`,
        run: () => void undoRestore(projectId, snapshotId),
      })
      await refreshHistory(projectId)
    } catch (error) {
      if (error instanceof ApiFailure && error.code === 'CONFLICT' && !force) setConflict(error.message)
      else toast(shortMessage(error))
    }
    setBusy(false)
  }
  return (
    <div className="flex items-center gap-12 border-neutral-6 border-b bg-bad-wash px-16 py-12 text-13 text-bad-text">
      <p className="min-w-0 flex-1">
        Changes from <Name>{name}</Name> are still on the canvas.
      </p>
      <Button busy={busy} onClick={() => revert(false)}>
        <Undo2 aria-hidden className="icon" />
        Revert
      </Button>
      {conflict && (
        <Dialog size="small" title="Edited since the run" onClose={() => setConflict(undefined)}>
          <p className="pb-24 text-neutral-11">
            {conflict}. Reverting the run also reverts those edits. A snapshot is created first.
          </p>
          <DialogFooter>
            <Button look="quiet" onClick={() => setConflict(undefined)}>
              Cancel
            </Button>
            <Button look="danger" busy={busy} onClick={() => revert(true)}>
              Revert anyway
            </Button>
          </DialogFooter>
        </Dialog>
      )}
    </div>
  )
}
