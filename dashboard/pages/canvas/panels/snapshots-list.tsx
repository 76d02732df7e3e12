import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Camera, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { explainShortly } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { CONTROL } from '../../../components/forms/field.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { LoadMore } from '../../../components/table/load-more.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { useCanvas } from '../canvas-context.ts'
import { snapshotsQuery } from './history-queries.ts'
import { refreshPast, restore } from './restore.ts'

const REASONS = {
  manual: 'Taken by hand',
  restore: 'Before a restore from a backup',
  run: 'Before a run was taken back',
  history: 'Before going back in history',
  snapshot: 'Before going back to a snapshot',
} as const

/** Moments that were given a name, or kept before something was taken back. */
export function SnapshotsList({ projectId }: { projectId: string }) {
  const { editable } = useCanvas()
  const list = useInfiniteQuery(snapshotsQuery(projectId))
  const canEdit = editable.use()
  const snapshots = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      {canEdit && <TakeSnapshot projectId={projectId} />}
      {list.isPending && <SkeletonRows rows={4} />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.data && snapshots.length === 0 && (
        <Empty icon={Camera} title="A snapshot marks a moment to come back to">
          One is also taken by itself before anything is restored, so that every restore can be undone.
        </Empty>
      )}
      <ul>
        {snapshots.map(({ id, name, reason, createdBy, createdAt }) => (
          <li key={id} className="flex items-center gap-8 border-neutral-6 border-b py-8 pr-8 pl-16 text-13">
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">{name ?? REASONS[reason]}</p>
              <p className="truncate text-12 text-neutral-11">
                {createdBy ? `${createdBy.name}, ` : ''}
                <Time at={createdAt} />
              </p>
            </div>
            {canEdit && (
              <Button
                size="small"
                aria-label={`Restore ${name ?? REASONS[reason].toLowerCase()}`}
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
    </>
  )
}

function TakeSnapshot({ projectId }: { projectId: string }) {
  const [name, setName] = useState('')
  const take = useMutation({
    mutationFn: () => api.canvas.snapshot({ projectId, name: name.trim() || null }),
    onSuccess: async () => {
      setName('')
      toast('Took a snapshot')
      await refreshPast(projectId)
    },
    onError: (error) => toast(explainShortly(error)),
  })
  return (
    <form
      className="flex gap-8 border-neutral-6 border-b p-16"
      onSubmit={(event) => {
        event.preventDefault()
        if (!take.isPending) take.mutate()
      }}
    >
      <input
        aria-label="Name of the snapshot"
        placeholder="Name, if you like"
        maxLength={255}
        value={name}
        onChange={(event) => setName(event.target.value)}
        className={`h-32 ${CONTROL}`}
      />
      <Button type="submit" busy={take.isPending}>
        <Camera aria-hidden className="icon" />
        Take a snapshot
      </Button>
    </form>
  )
}
