import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { api } from '../../../api/client.ts'
import { explainShortly } from '../../../api/explain.ts'
import type { ProjectDetails } from '../../../api/projects.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogFooter } from '../../../components/dialogs/dialog.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { toast } from '../../../components/toast.tsx'
import { refreshProjects } from '../project-lists.ts'
import { changesIn, type Plan, PlanView } from './plan-view.tsx'
import type { Manifest } from './read-manifest.ts'

interface RestoreDialogProps {
  project: ProjectDetails
  manifest: Manifest
  onClose: () => void
}

/** What a restore would do, before it does it. It is applied only if the project is still as it was when planned. */
export function RestoreDialog({ project, manifest, onClose }: RestoreDialogProps) {
  const projectId = project.id
  const [mode, setMode] = useState<'merge' | 'replace'>('merge')
  const planned = useQuery({
    queryKey: ['restore-plan', projectId, manifest.checksum.value, mode],
    queryFn: async ({ signal }) => {
      const answer = await api.backups.restore({ ...manifest, projectId, dryRun: 'true', mode }, { signal })
      return { plan: 'plan' in answer ? answer.plan : answer.applied, planHash: answer.planHash }
    },
    gcTime: 0,
    staleTime: 0,
    retry: false,
  })
  const apply = useMutation({
    mutationFn: (planHash: string) => api.backups.restore({ ...manifest, projectId, mode, planHash }),
    onSuccess: async (answer) => {
      onClose()
      await refreshProjects()
      if ('snapshotId' in answer) offerUndo(projectId, answer.snapshotId)
    },
    onError: (error) => {
      if (error instanceof ApiFailure && error.code === 'CONFLICT') void planned.refetch()
    },
  })
  const isMoved = apply.error instanceof ApiFailure && apply.error.code === 'CONFLICT'
  const error = apply.error ?? planned.error
  return (
    <Dialog title={`Restore ${project.name}`} onClose={onClose}>
      <div className="flex flex-col gap-16">
        <p className="text-neutral-11">
          From a manifest of “{manifest.project.name}”. A snapshot of the canvas is taken first.
        </p>
        <FormFailure>
          {isMoved
            ? 'The project has changed since this plan was made. Look at the new plan, then restore.'
            : error
              ? explainShortly(error)
              : undefined}
        </FormFailure>
        <Select
          label="What the manifest lacks"
          hint="Files are never removed."
          value={mode}
          onChange={(event) => setMode(event.target.value === 'replace' ? 'replace' : 'merge')}
        >
          <option value="merge">Stays on the canvas</option>
          <option value="replace">Is removed from the canvas</option>
        </Select>
        {planned.isPending && <SkeletonRows rows={3} />}
        {planned.data && <PlanView plan={planned.data.plan} />}
        <DialogFooter>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button
            look="primary"
            busy={apply.isPending}
            disabled={!planned.data || planned.isFetching || isIdle(planned.data.plan)}
            onClick={() => planned.data && apply.mutate(planned.data.planHash)}
          >
            {planned.data ? `Apply ${counted(changesIn(planned.data.plan))}` : 'Apply'}
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}

function offerUndo(projectId: string, snapshotId: string) {
  toast('Restored from the manifest', {
    label: 'Undo on the canvas',
    run: () =>
      void api.canvas
        .restoreSnapshot({ projectId, snapshotId })
        .then(() => toast('The canvas is as it was before'))
        .catch((error: unknown) => toast(explainShortly(error)))
        .finally(refreshProjects),
  })
}

const isIdle = (plan: Plan) => changesIn(plan) === 0
const counted = (count: number) => (count === 1 ? '1 change' : `${count.toLocaleString('en')} changes`)
