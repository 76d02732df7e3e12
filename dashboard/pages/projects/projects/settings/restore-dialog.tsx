import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure } from '../../../../../client/client.ts'
import { api } from '../../../../api/client.ts'
import { shortMessage } from '../../../../api/explain.ts'
import { projectsApi } from '../../../../api/projects/projects-api.ts'
import type { ProjectDetails } from '../../../../api/projects.ts'
import { Button } from '../../../../components/button.tsx'
import { Dialog, DialogFooter } from '../../../../components/dialogs/dialog.tsx'
import { FormFailure } from '../../../../components/failure.tsx'
import { Select } from '../../../../components/forms/select.tsx'
import { Name, withNames } from '../../../../components/name.tsx'
import { SkeletonRows } from '../../../../components/skeleton.tsx'
import { toast, toastFailure } from '../../../../components/toast.tsx'
import { refreshProjects } from '../project-lists.ts'
import type { Manifest } from './parse-manifest.ts'
import { countChanges, type Plan, PlanView } from './plan-view.tsx'

interface RestoreDialogProps {
  project: ProjectDetails
  manifest: Manifest
  onClose: () => void
}

/** Shows the plan of a restore and applies it. The server rejects the plan if the project has changed since. */
export function RestoreDialog({ project, manifest, onClose }: RestoreDialogProps) {
  const projectId = project.id
  const [mode, setMode] = useState<'merge' | 'replace'>('merge')
  const planQuery = useQuery({
    queryKey: ['restore-plan', projectId, manifest.checksum.value, mode],
    queryFn: async ({ signal }) => {
      const response = await projectsApi.projectExport.restore(
        { ...manifest, projectId, dryRun: 'true', mode },
        { signal },
      )
      return { plan: 'plan' in response ? response.plan : response.applied, planHash: response.planHash }
    },
    gcTime: 0,
    staleTime: 0,
    retry: false,
  })
  const apply = useMutation({
    mutationFn: (planHash: string) =>
      projectsApi.projectExport.restore({ ...manifest, projectId, mode, planHash }),
    onSuccess: async (response) => {
      onClose()
      await refreshProjects()
      if ('snapshotId' in response) offerUndo(projectId, response.snapshotId)
    },
    onError: (error) => {
      if (error instanceof ApiFailure && error.code === 'CONFLICT') void planQuery.refetch()
    },
  })
  const isStale = apply.error instanceof ApiFailure && apply.error.code === 'CONFLICT'
  const error = apply.error ?? planQuery.error
  return (
    <Dialog title={withNames`Restore ${project.name}`} onClose={onClose}>
      <div className="flex flex-col gap-16">
        <p className="text-neutral-11">
          From a manifest of “<Name>{manifest.project.name}</Name>”. A snapshot of the canvas is created
          first.
        </p>
        <FormFailure>
          {isStale
            ? 'The project has changed. Review the updated plan, then apply it.'
            : error
              ? shortMessage(error)
              : undefined}
        </FormFailure>
        <Select
          label="Items not in the manifest"
          hint="Files are never deleted."
          value={mode}
          onChange={(event) => setMode(event.target.value === 'replace' ? 'replace' : 'merge')}
        >
          <option value="merge">Keep on the canvas</option>
          <option value="replace">Remove from the canvas</option>
        </Select>
        {planQuery.isPending && <SkeletonRows rows={3} />}
        {planQuery.data && <PlanView plan={planQuery.data.plan} />}
        <DialogFooter>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button
            look="primary"
            busy={apply.isPending}
            disabled={!planQuery.data || planQuery.isFetching || isUnchanged(planQuery.data.plan)}
            onClick={() => planQuery.data && apply.mutate(planQuery.data.planHash)}
          >
            {planQuery.data ? `Apply ${changesLabel(countChanges(planQuery.data.plan))}` : 'Apply'}
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}

function offerUndo(projectId: string, snapshotId: string) {
  toast('Project restored', {
    label: 'Undo canvas changes',
    run: () =>
      void api.canvas
        .restoreSnapshot({ projectId, snapshotId })
        .then(() => toast('Canvas changes undone'))
        .catch(toastFailure)
        .finally(refreshProjects),
  })
}

const isUnchanged = (plan: Plan) => countChanges(plan) === 0
const changesLabel = (count: number) => (count === 1 ? '1 change' : `${count.toLocaleString('en')} changes`)
