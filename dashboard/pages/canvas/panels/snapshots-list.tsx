import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Camera, Eye, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { api } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { CONTROL } from '../../../components/forms/field.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { LoadMore } from '../../../components/table/scroll-end.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { labelInSentence } from '../../../state/label-in-sentence.ts'
import { useCanvas } from '../canvas-context.ts'
import { SnapshotPreview } from './history-preview.tsx'
import { refreshHistory, restore, snapshotsQuery } from './restore.ts'

const REASONS = {
  manual: t`Created manually`,
  restore: t`Before restoring a backup`,
  run: t`Before reverting a run`,
  history: t`Before restoring from history`,
  snapshot: t`Before restoring a snapshot`,
  prune: t`Oldest state after pruning`,
} as const

/** Manual snapshots and those taken before a restore. */
export function SnapshotsList({ projectId }: { projectId: string }) {
  const { editable } = useCanvas()
  const list = useInfiniteQuery(snapshotsQuery(projectId))
  const [preview, setPreview] = useState<{ id: string; seq: number; name: string } | null>(null)
  const canEdit = editable.use()
  const snapshots = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      {canEdit && <CreateSnapshot projectId={projectId} />}
      {list.isPending && <SkeletonRows rows={4} />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.data && snapshots.length === 0 && (
        <Empty icon={Camera} title="No snapshots yet">
          Save the current canvas so you can restore it later. A snapshot is also created before each restore.
        </Empty>
      )}
      <ul>
        {snapshots.map(({ id, seq, name, reason, createdBy, createdAt }) => (
          <li key={id} className="flex items-center gap-8 border-neutral-6 border-b py-8 pr-8 pl-16 text-13">
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">
                <Name>{name ?? REASONS[reason]}</Name>
              </p>
              <p className="truncate text-12 text-neutral-11">
                {createdBy && (
                  <>
                    <Name>{createdBy.name}</Name>,{' '}
                  </>
                )}
                <Time at={createdAt} />
              </p>
            </div>
            <Button
              look="quiet"
              size="icon"
              aria-label={textWithNames`Preview ${name ?? labelInSentence(REASONS[reason])}`}
              title="Preview"
              onClick={() => setPreview({ id, seq, name: name ?? REASONS[reason] })}
            >
              <Eye aria-hidden className="icon" />
            </Button>
            {canEdit && (
              <Button
                size="small"
                aria-label={textWithNames`Restore ${name ?? labelInSentence(REASONS[reason])}`}
                onClick={() =>
                  restore(projectId, () => api.canvas.restoreSnapshot({ projectId, snapshotId: id }))
                }
              >
                <RotateCcw aria-hidden className="icon" />
                Restore
              </Button>
            )}
          </li>
        ))}
      </ul>
      <LoadMore list={list} shown={snapshots.length} loaded={snapshots.length} />
      {preview && <SnapshotPreview snapshot={preview} onClose={() => setPreview(null)} />}
    </>
  )
}

function CreateSnapshot({ projectId }: { projectId: string }) {
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: () => api.canvas.snapshot({ projectId, name: name.trim() || null }),
    onSuccess: async () => {
      setName('')
      toast(t`Snapshot created`)
      await refreshHistory(projectId)
    },
    onError: (error) => toast(shortMessage(error)),
  })
  return (
    <form
      className="flex gap-8 border-neutral-6 border-b p-16"
      onSubmit={(event) => {
        event.preventDefault()
        if (!create.isPending) create.mutate()
      }}
    >
      <input
        aria-label="Snapshot name"
        placeholder="Name (optional)"
        maxLength={255}
        value={name}
        onChange={(event) => setName(event.target.value)}
        className={`h-32 ${CONTROL}`}
      />
      <Button type="submit" busy={create.isPending}>
        <Camera aria-hidden className="icon" />
        Create snapshot
      </Button>
    </form>
  )
}
