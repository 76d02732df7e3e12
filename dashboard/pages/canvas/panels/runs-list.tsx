import { useInfiniteQuery } from '@tanstack/react-query'
import { Bot, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { api } from '../../../api/client.ts'
import { explainShortly } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogFooter } from '../../../components/dialogs/dialog.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { type Meaning, Status } from '../../../components/status.tsx'
import { LoadMore } from '../../../components/table/load-more.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { formatSpend } from '../../projects/project-labels.ts'
import { useCanvas } from '../canvas-context.ts'
import { runsQuery } from './history-queries.ts'
import { refreshPast, undoRestore } from './restore.ts'

const STATES: Record<string, { meaning: Meaning; word: string }> = {
  queued: { meaning: 'neutral', word: 'Queued' },
  running: { meaning: 'info', word: 'Running' },
  succeeded: { meaning: 'good', word: 'Succeeded' },
  failed: { meaning: 'bad', word: 'Failed' },
  canceled: { meaning: 'neutral', word: 'Canceled' },
}

/** What agents did here, how it ended, and the way to take back what the last failed one left. */
export function RunsList({ projectId }: { projectId: string }) {
  const { editable } = useCanvas()
  const list = useInfiniteQuery(runsQuery(projectId))
  const canEdit = editable.use()
  if (list.isPending) return <SkeletonRows rows={4} />
  if (list.error && !list.data) return <Failure error={list.error} onRetry={() => list.refetch()} />
  const runs = list.data?.pages.flatMap((page) => page.items) ?? []
  if (runs.length === 0) {
    return (
      <Empty icon={Bot} title="Work that agents do in this project will be listed here">
        Each run with how it ended and what it cost. What a failed one did to the canvas can be taken back.
      </Empty>
    )
  }
  const failed = runs.find(({ status }) => status === 'failed')
  return (
    <>
      {canEdit && failed && !failed.restoredAt && <TakeBack projectId={projectId} title={failed.title} />}
      <ul>
        {runs.map(({ id, title, status, error, cost, createdAt, restoredAt }) => (
          <li key={id} className="flex flex-col gap-4 border-neutral-6 border-b px-16 py-8 text-13">
            <div className="flex items-center gap-12">
              <span className="min-w-0 flex-1 truncate font-medium">{title ?? 'Run'}</span>
              <Status meaning={STATES[status]!.meaning}>{STATES[status]!.word}</Status>
            </div>
            <p className="flex flex-wrap gap-x-8 text-12 text-neutral-11 tabular-nums">
              <Time at={createdAt} />
              <span>{formatSpend(cost)}</span>
              {restoredAt && <span>taken back</span>}
            </p>
            {error && <p className="break-words text-12 text-bad-text">{error}</p>}
          </li>
        ))}
      </ul>
      <LoadMore list={list} shown={runs.length} loaded={runs.length} />
    </>
  )
}

function TakeBack({ projectId, title }: { projectId: string; title: string | null }) {
  const [conflict, setConflict] = useState<string>()
  const [busy, setBusy] = useState(false)
  const name = title ? `“${title}”` : 'the last failed run'
  const go = async (force: boolean) => {
    setBusy(true)
    try {
      const { blocks, snapshotId } = await api.runs.restoreLast({
        projectId,
        force: force ? 'true' : undefined,
      })
      setConflict(undefined)
      toast(`Took back ${name}: ${blocks.length === 1 ? '1 block' : `${blocks.length} blocks`}`, {
        label: 'Undo',
        run: () => void undoRestore(projectId, snapshotId),
      })
      await refreshPast(projectId)
    } catch (error) {
      if (error instanceof ApiFailure && error.code === 'CONFLICT' && !force) setConflict(error.message)
      else toast(explainShortly(error))
    }
    setBusy(false)
  }
  return (
    <div className="flex items-center gap-12 border-neutral-6 border-b bg-bad-wash px-16 py-12 text-13 text-bad-text">
      <p className="min-w-0 flex-1">What {name} did is still on the canvas.</p>
      <Button busy={busy} onClick={() => go(false)}>
        <Undo2 aria-hidden className="icon" />
        Take it back
      </Button>
      {conflict && (
        <Dialog size="small" title="Edited since" onClose={() => setConflict(undefined)}>
          <p className="pb-24 text-neutral-11">
            {conflict}. Taking the run back would undo those edits too; a snapshot keeps them.
          </p>
          <DialogFooter>
            <Button look="quiet" onClick={() => setConflict(undefined)}>
              Leave it
            </Button>
            <Button look="danger" busy={busy} onClick={() => go(true)}>
              Take it back anyway
            </Button>
          </DialogFooter>
        </Dialog>
      )}
    </div>
  )
}
