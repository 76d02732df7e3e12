import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Bot, ChevronRight, Eye, History, RotateCcw, Scissors } from 'lucide-react'
import { useEffect, useState } from 'react'
import { LOCALE, t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { projectQuery } from '../../../api/projects.ts'
import { useSession } from '../../../api/session.ts'
import { formatSize } from '../../../components/amounts.ts'
import { Button } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { LoadMore } from '../../../components/table/scroll-end.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { useCanvas } from '../canvas-context.ts'
import { ChangeDetails } from './change-details.tsx'
import { type ChangeGroup, groupChanges, summarizeChanges } from './history-groups.ts'
import { HistoryPreview } from './history-preview.tsx'
import { historyQuery, refreshHistory, restore } from './restore.ts'

const REFRESH_MS = 1000

export function HistoryList({ projectId }: { projectId: string }) {
  const list = useInfiniteQuery(historyQuery(projectId))
  const [previewedSeq, setPreviewedSeq] = useState<number | null>(null)
  useRefreshWhenChanged(projectId)
  if (list.isPending) return <SkeletonRows rows={8} />
  if (list.error && !list.data) return <Failure error={list.error} onRetry={() => list.refetch()} />
  const changes = list.data?.pages.flatMap((page) => page.items) ?? []
  if (changes.length === 0) {
    return (
      <Empty icon={History} title="No changes yet">
        Every canvas change is recorded here. You can restore any earlier state.
      </Empty>
    )
  }
  const groups = groupChanges(changes)
  return (
    <>
      <ul>
        {groups.map((group, index) => (
          <GroupRow
            key={group.seq}
            projectId={projectId}
            group={group}
            isLatest={index === 0}
            onPreview={setPreviewedSeq}
          />
        ))}
      </ul>
      <LoadMore list={list} shown={changes.length} loaded={changes.length} />
      <PruneHistory projectId={projectId} />
      {previewedSeq !== null && (
        <HistoryPreview
          changes={changes}
          seq={previewedSeq}
          onMove={setPreviewedSeq}
          onClose={() => setPreviewedSeq(null)}
        />
      )}
    </>
  )
}

interface GroupRowProps {
  projectId: string
  group: ChangeGroup
  /** The current state needs no restore. */
  isLatest: boolean
  onPreview: (seq: number) => void
}

function GroupRow({ projectId, group, isLatest, onPreview }: GroupRowProps) {
  const { editable } = useCanvas()
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const canEdit = editable.use()
  const restoreHere = async () => {
    setBusy(true)
    await restore(projectId, () => api.canvas.rewind({ projectId, seq: group.seq }))
    setBusy(false)
  }
  return (
    <li className="border-neutral-6 border-b">
      <div className="group flex items-center gap-8 py-8 pr-8 pl-4">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-w-0 flex-1 items-start gap-4 rounded-control text-left -outline-offset-2"
        >
          <ChevronRight
            aria-hidden
            className={`icon mt-px text-neutral-11 transition-transform ${open ? 'rotate-90' : ''}`}
          />
          <span className="min-w-0 text-13">
            <span className="flex items-center gap-4">
              <span className="truncate font-medium">{group.by}</span>
              {group.runId && <Bot role="img" aria-label="By a run" className="icon text-accent-text" />}
              <span className="text-12 text-neutral-11">
                <Time at={group.at} />
              </span>
            </span>
            <span className="block text-neutral-11">{summarizeChanges(group)}</span>
          </span>
        </button>
        {group.isRestorable && (
          <Button
            look="quiet"
            size="icon"
            aria-label="Preview"
            title="Preview the canvas after this change"
            onClick={() => onPreview(group.seq)}
          >
            <Eye aria-hidden className="icon" />
          </Button>
        )}
        {canEdit && !isLatest && group.isRestorable && (
          <Button size="small" busy={busy} onClick={restoreHere} title="Restore the canvas to this point">
            <RotateCcw aria-hidden className="icon" />
            Restore to here
          </Button>
        )}
      </div>
      {open && <ChangeDetails changes={group.changes} onPreview={onPreview} />}
    </li>
  )
}

/** Throttled. */
function useRefreshWhenChanged(projectId: string) {
  const { store } = useCanvas()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = store.watch(() => {
      timer ??= setTimeout(() => {
        timer = undefined
        void refreshHistory(projectId)
      }, REFRESH_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [store, projectId])
}

const DAY_MS = 86_400_000

/** For the project's creator, admins and owners. */
function PruneHistory({ projectId }: { projectId: string }) {
  const { user, role } = useSession()
  const { editable } = useCanvas()
  const project = useQuery(projectQuery(projectId)).data
  const [isOpen, setOpen] = useState(false)
  const canEdit = editable.use()
  if (!canEdit || !project || (role === 'member' && project.userId !== user.id)) return null
  return (
    <div className="p-16">
      <Button size="small" look="quiet" onClick={() => setOpen(true)}>
        <Scissors aria-hidden className="icon" />
        Prune history…
      </Button>
      {isOpen && <PruneDialog projectId={projectId} onClose={() => setOpen(false)} />}
    </div>
  )
}

function PruneDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const [days, setDays] = useState('30')
  const before = () => new Date(Date.now() - Number(days) * DAY_MS).toISOString()
  return (
    <ConfirmDialog
      title="Prune history"
      phrase="prune"
      action="Prune history"
      mutate={() => api.canvas.prune({ projectId, before: before() })}
      onSuccess={({ removed, bytes }) => {
        void refreshHistory(projectId)
        toast(
          removed === 0
            ? t`Nothing to prune`
            : t`Removed ${removed.toLocaleString(LOCALE)} entries and freed ${formatSize(bytes)}`,
        )
      }}
      onClose={onClose}
    >
      <Select label="Changes older than" value={days} onChange={(event) => setDays(event.target.value)}>
        <option value="90">90 days</option>
        <option value="30">30 days</option>
        <option value="7">7 days</option>
        <option value="0">Now (all changes)</option>
      </Select>
      <p>
        Earlier history is removed, except manual snapshots and the final state. The canvas stays as it is,
        but you can’t undo earlier runs anymore. This can’t be undone.
      </p>
    </ConfirmDialog>
  )
}
