import { lazy, Suspense } from 'react'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { useCanvas } from '../canvas-context.ts'
import type { Change } from '../store/items.ts'
import { restore } from './restore.ts'

const PreviewDialog = lazy(() => import('./preview-dialog.tsx'))

interface HistoryPreviewProps {
  /** Newest first. */
  changes: readonly Change[]
  seq: number
  onMove: (seq: number) => void
  onClose: () => void
}

export function HistoryPreview({ changes, seq, onMove, onClose }: HistoryPreviewProps) {
  const { project, editable } = useCanvas()
  const canEdit = editable.use()
  const points = changes.filter(({ restorable }) => restorable !== false)
  // While a user types, a change with a higher number replaces the last one.
  const index = points.findLastIndex((change) => change.seq >= seq)
  const point = points[index]
  const at = point?.seq ?? seq
  const go = (to: Change | undefined) => to && (() => onMove(to.seq))
  const projectId = project.id
  return (
    <Suspense fallback={null}>
      <PreviewDialog
        key={at}
        seq={at}
        title={
          point ? (
            <>
              Canvas after a change by <Name>{point.by?.name ?? t`Guest`}</Name>,{' '}
              <Time at={point.createdAt} />
            </>
          ) : (
            t`Canvas at this point`
          )
        }
        onRestore={
          canEdit && index > 0
            ? () => restore(projectId, () => api.canvas.rewind({ projectId, seq: at }))
            : undefined
        }
        onLater={go(points[index - 1])}
        onEarlier={go(points[index + 1])}
        onClose={onClose}
      />
    </Suspense>
  )
}

interface SnapshotPreviewProps {
  snapshot: { id: string; seq: number; name: string }
  onClose: () => void
}

export function SnapshotPreview({ snapshot, onClose }: SnapshotPreviewProps) {
  const { project, editable } = useCanvas()
  const canEdit = editable.use()
  const projectId = project.id
  const { id: snapshotId, seq, name } = snapshot
  return (
    <Suspense fallback={null}>
      <PreviewDialog
        seq={seq}
        title={<Name>{name}</Name>}
        onRestore={
          canEdit
            ? () => restore(projectId, () => api.canvas.restoreSnapshot({ projectId, snapshotId }))
            : undefined
        }
        onClose={onClose}
      />
    </Suspense>
  )
}
