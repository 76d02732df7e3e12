import { useMutation, useQuery } from '@tanstack/react-query'
import { ChevronRight, type LucideIcon, Minus, Pencil, Plus, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { z } from 'zod'
import { ApiFailure } from '../../../../../client/client.ts'
import { counted } from '../../../../../contract/counted.ts'
import type { RequestOf } from '../../../../../contract/endpoint.ts'
import type { Contract } from '../../../../../contract/index.ts'
import type { RestorePlan } from '../../../../../contract/projects/project-export.ts'
import { LOCALE, t } from '../../../../../contract/text.ts'
import { api } from '../../../../api/client.ts'
import { shortMessage } from '../../../../api/explain.ts'
import { projectsApi } from '../../../../api/project-pages.ts'
import type { ProjectDetails } from '../../../../api/projects.ts'
import { Button } from '../../../../components/button.tsx'
import { Dialog, DialogFooter } from '../../../../components/dialogs/dialog.tsx'
import { FormFailure } from '../../../../components/failure.tsx'
import { Select } from '../../../../components/forms/select.tsx'
import { Name, withNames } from '../../../../components/name.tsx'
import { SkeletonRows } from '../../../../components/skeleton.tsx'
import { toast, toastFailure } from '../../../../components/toast.tsx'
import { refreshProjects } from '../project-actions.ts'

interface RestoreDialogProps {
  project: ProjectDetails
  manifest: Manifest
  onClose: () => void
}

/** The server rejects the plan if the project has changed since. */
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
          From a “<Name>{manifest.project.name}</Name>” manifest. A canvas snapshot is created first. Changes
          to tables can be undone in each table’s history.
        </p>
        <FormFailure>
          {isStale
            ? t`The project has changed. Review the updated plan, then apply it.`
            : error
              ? shortMessage(error)
              : undefined}
        </FormFailure>
        <Select
          label="Items not in the manifest"
          hint="Files are never deleted. Deleted tables can be restored for 30 days."
          value={mode}
          onChange={(event) => setMode(event.target.value === 'replace' ? 'replace' : 'merge')}
        >
          <option value="merge">Keep</option>
          <option value="replace">Remove blocks, tables and rows</option>
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
            {planQuery.data ? t`Apply ${changesLabel(countChanges(planQuery.data.plan))}` : t`Apply`}
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}

function offerUndo(projectId: string, snapshotId: string) {
  toast(t`Project restored`, {
    label: t`Undo canvas changes`,
    run: () =>
      void api.canvas
        .restoreSnapshot({ projectId, snapshotId })
        .then(() => toast(t`Canvas changes undone`))
        .catch(toastFailure)
        .finally(refreshProjects),
  })
}

const isUnchanged = (plan: Plan) => countChanges(plan) === 0
const changesLabel = (count: number) =>
  count === 1 ? t`1 change` : t`${count.toLocaleString(LOCALE)} changes`

type Plan = z.output<typeof RestorePlan>
type Item = Plan['create'][number]

const SHOWN_MAX = 100

function PlanView({ plan }: { plan: Plan }) {
  return (
    <div className="flex flex-col">
      {countChanges(plan) === 0 && <p className="pb-8">No changes. The project matches the manifest.</p>}
      <Section icon={Plus} tone="text-good-text" label="Created" items={plan.create} />
      <Section icon={Pencil} tone="text-info-text" label="Changed" items={plan.update} />
      <Section icon={Minus} tone="text-bad-text" label="Removed" items={plan.delete} />
      <p className="border-neutral-6 border-t py-8 text-13 text-neutral-11">
        {plan.unchanged.toLocaleString(LOCALE)} unchanged
      </p>
      {plan.missingFiles.length > 0 && (
        <div className="mt-8 rounded-control border border-warning-line bg-warning-wash px-12 py-8 text-13 text-warning-text">
          <p className="flex items-center gap-8 font-medium">
            <TriangleAlert aria-hidden className="icon" />
            {plan.missingFiles.length === 1
              ? t`1 file is missing`
              : t`${plan.missingFiles.length} files are missing`}
          </p>
          <p>Upload the missing files to the project first, or continue without them.</p>
          <ul className="mt-4 max-h-nested-max list-disc overflow-y-auto pl-24">
            {plan.missingFiles.slice(0, SHOWN_MAX).map((file) => (
              <li key={file.id} className="break-all">
                {file.path}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

const countChanges = (plan: Plan) => plan.create.length + plan.update.length + plan.delete.length

interface SectionProps {
  icon: LucideIcon
  tone: string
  label: string
  items: Item[]
}

function Section({ icon: Icon, tone, label, items }: SectionProps) {
  if (items.length === 0) return null
  const hiddenCount = items.length - SHOWN_MAX
  return (
    <details className="group border-neutral-6 border-t" open={items.length <= 5}>
      <summary className="flex h-row items-center gap-8 text-13">
        <ChevronRight
          aria-hidden
          className="icon text-neutral-11 transition-transform group-open:rotate-90"
        />
        <Icon aria-hidden className={`icon ${tone}`} />
        <span className="font-medium">{label}</span>
        <span className="text-neutral-11 tabular-nums">{items.length.toLocaleString(LOCALE)}</span>
      </summary>
      <ul className="max-h-nested-max overflow-y-auto pb-8 pl-48 text-13">
        {items.slice(0, SHOWN_MAX).map((item) => (
          <li key={`${item.kind} ${item.id}`} className="truncate py-px">
            {item.title ?? t`Untitled`}
            <span className="text-neutral-11">
              {' '}
              {KINDS[item.kind]}
              {detailsOf(item).length > 0 && `: ${detailsOf(item).join(', ')}`}
            </span>
          </li>
        ))}
        {hiddenCount > 0 && (
          <li className="text-neutral-11">and {hiddenCount.toLocaleString(LOCALE)} more</li>
        )}
      </ul>
    </details>
  )
}

const detailsOf = ({ fields = [], rows }: Item): string[] => [
  ...fields,
  ...(rows && rows.created > 0 ? [t`${counted(rows.created, 'row', 'rows')} added`] : []),
  ...(rows && rows.updated > 0 ? [t`${counted(rows.updated, 'row', 'rows')} changed`] : []),
  ...(rows && rows.deleted > 0 ? [t`${counted(rows.deleted, 'row', 'rows')} deleted`] : []),
]

const KINDS: Record<Item['kind'], string> = {
  project: t`settings`,
  block: t`block`,
  edge: t`connection`,
  file: t`file`,
  memory: t`memory`,
  table: t`table`,
}

type RestoreRequest = RequestOf<Contract['projectExport']['restore']>
export type Manifest = Omit<RestoreRequest, 'projectId' | 'dryRun' | 'mode' | 'planHash'>

type ParseResult = { manifest: Manifest; error?: undefined } | { manifest?: undefined; error: string }

/** Checks only the format. The server validates the rest, including the checksum. */
export function parseManifest(text: string): ParseResult {
  try {
    const value: unknown = JSON.parse(text)
    if (
      typeof value === 'object' &&
      value !== null &&
      'format' in value &&
      value.format === 'atrium/project'
    ) {
      return { manifest: value as Manifest }
    }
    return { error: t`Not a project manifest. Select a file exported from a project.` }
  } catch {
    return { error: t`Not a JSON file. Select a manifest exported from a project.` }
  }
}
