import { useQuery } from '@tanstack/react-query'
import { Scissors } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { projectQuery } from '../../../api/projects.ts'
import { useSession } from '../../../api/session.ts'
import { formatSize } from '../../../components/amounts.ts'
import { Button } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { toast } from '../../../components/toast.tsx'
import { useCanvas } from '../canvas-context.ts'
import { refreshHistory } from './restore.ts'

const DAY_MS = 86_400_000

/** For the creator of the project, admins and owners. */
export function PruneHistory({ projectId }: { projectId: string }) {
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
            ? 'There was nothing to prune'
            : `Removed ${removed.toLocaleString('en')} entries and freed ${formatSize(bytes)}`,
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
        The canvas does not change. Of its history before this time, only snapshots that people created and
        the last state are kept; earlier runs can no longer be undone. This can’t be undone.
      </p>
    </ConfirmDialog>
  )
}
