import { useMutation, useQuery } from '@tanstack/react-query'
import { BookMarked, File, type LucideIcon, Spline, Square, Table2 } from 'lucide-react'
import { t } from '../../../contract/text.ts'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { type AgentRun, type RunChange, type UndoPlan, undoPlanQuery } from '../../api/runs.ts'
import { Button } from '../button.tsx'
import { Dialog, DialogFooter } from '../dialogs/dialog.tsx'
import { Failure } from '../failure.tsx'
import { Name } from '../name.tsx'
import { SkeletonRows } from '../skeleton.tsx'
import { toast, toastFailure } from '../toast.tsx'

export const KINDS: Record<RunChange['kind'], { label: string; icon: LucideIcon }> = {
  block: { label: t`Block`, icon: Square },
  edge: { label: t`Connection`, icon: Spline },
  file: { label: t`File`, icon: File },
  memory: { label: t`Memory`, icon: BookMarked },
  table: { label: t`Table`, icon: Table2 },
}

type Item = UndoPlan['items'][number]

const ACTIONS: Record<Item['action'], string> = {
  reverted: t`reverts to its previous values`,
  recreated: t`is restored`,
  removed: t`is removed`,
  skipped: t`stays as it is`,
}

const REASONS: Record<NonNullable<Item['reason']>, string> = {
  edited_since: t`edited since the run`,
  purged: t`deleted permanently`,
  folder_missing: t`its former folder was deleted`,
  in_use: t`contains other members’ files`,
}

export function UndoDialog({ run, onClose }: { run: AgentRun; onClose: () => void }) {
  const plan = useQuery(undoPlanQuery(run.id))
  const undo = useUndo(run.id, onClose)
  const items = plan.data?.items ?? []
  const conflicts = items.filter(({ isConflict }) => isConflict)
  return (
    <Dialog size="wide" title="Undo this run’s changes" onClose={onClose}>
      {plan.isPending && <SkeletonRows rows={3} />}
      {plan.error && <Failure error={plan.error} onRetry={() => plan.refetch()} />}
      {plan.data && (
        <div className="flex flex-col gap-16">
          {conflicts.length > 0 && (
            <section aria-label="Conflicts" className="flex flex-col gap-8">
              <p className="text-13">
                {conflicts.length === 1
                  ? t`1 item has changed since the run. Undoing overwrites those edits.`
                  : t`${conflicts.length} items have changed since the run. Undoing overwrites those edits.`}
              </p>
              <Items items={conflicts} />
            </section>
          )}
          <Items items={items.filter(({ isConflict }) => !isConflict)} />
          <p className="text-13 text-neutral-11">You can restore the changes later.</p>
          <DialogFooter>
            <Button look="quiet" onClick={onClose}>
              Cancel
            </Button>
            <Button
              look={conflicts.length > 0 ? 'danger' : 'primary'}
              data-autofocus
              busy={undo.isPending}
              onClick={() => undo.mutate({ target: run.id, force: conflicts.length > 0 })}
            >
              {conflicts.length > 0 ? t`Undo and overwrite` : t`Undo changes`}
            </Button>
          </DialogFooter>
        </div>
      )}
    </Dialog>
  )
}

function Items({ items }: { items: Item[] }) {
  if (items.length === 0) return null
  return (
    <ul className="border-neutral-6 border-t">
      {items.map(({ kind, id, name, action, reason }) => {
        const { icon: Icon, label } = KINDS[kind]
        return (
          <li
            key={`${kind} ${id}`}
            className="flex items-center gap-8 border-neutral-6 border-b py-8 text-13"
          >
            <Icon aria-hidden className="icon text-neutral-11" />
            <span className="min-w-0 flex-1 truncate">{name ? <Name>{name}</Name> : label}</span>
            <span className="shrink-0 text-12 text-neutral-11">
              {ACTIONS[action]}
              {reason && ` · ${REASONS[reason]}`}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

interface UndoInput {
  /** The page's run, or the run that undid it. */
  target: string
  force?: boolean
}

/** Also undoes a former undo. The toast offers to undo it. */
export function useUndo(runId: string, onDone: () => void = () => {}) {
  const undo = useMutation({
    mutationFn: ({ target, force }: UndoInput) =>
      api.agentRuns.undo({ id: target, ...(force && { force: 'true' as const }) }),
    onSuccess: async ({ undoRunId, items }, { target }) => {
      const count = items.length === 1 ? t`1 item` : t`${items.length} items`
      const action = undoRunId ? { label: t`Undo`, run: () => undo.mutate({ target: undoRunId }) } : undefined
      toast(target === runId ? t`Undid changes to ${count}` : t`Restored changes to ${count}`, action)
      onDone()
      await queryClient.invalidateQueries({ queryKey: ['runs'] })
    },
    onError: toastFailure,
  })
  return undo
}
