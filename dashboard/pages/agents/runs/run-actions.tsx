import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Copy as CopyIcon, Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { type AgentRun, isActive, refreshRun } from '../../../api/runs.ts'
import { Button } from '../../../components/button.tsx'
import { copyWithToast } from '../../../components/copy.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { createRequestKey } from '../../../state/random-id.ts'

/** On the run's page. */
export function RunActions({ run }: { run: AgentRun }) {
  const { id, canEdit, status } = run
  const isOver = !isActive(run)
  return (
    <span className="flex items-center gap-8">
      {canEdit && !isOver && <CancelButton run={run} />}
      {canEdit && (status === 'failed' || status === 'canceled') && <RetryButton run={run} />}
      <Menu
        trigger={
          <Button look="quiet" size="icon" aria-label="Actions for this run">
            <Ellipsis aria-hidden className="icon" />
          </Button>
        }
      >
        <MenuAction icon={CopyIcon} label="Copy run ID" onSelect={() => void copyWithToast(id, t`run ID`)} />
      </Menu>
    </span>
  )
}

export function CancelButton({ run: { id, cancelRequestedAt } }: { run: AgentRun }) {
  const cancel = useMutation({
    mutationFn: () => api.agentRuns.cancel({ id }),
    onSuccess: () => refreshRun(id),
    onError: toastFailure,
  })
  return (
    <Button busy={cancel.isPending || cancelRequestedAt !== null} onClick={() => cancel.mutate()}>
      Cancel
    </Button>
  )
}

/** In a list with a label of its own, beside the page's. */
export function RetryButton({ run: { id, kind }, label }: { run: AgentRun; label?: string }) {
  const navigate = useNavigate()
  const [requestKey] = useState(createRequestKey)
  const retry = useMutation({
    mutationFn: () => api.agentRuns.retry({ id }, { idempotencyKey: requestKey.of({ id }) }),
    onSuccess: async (next) => {
      requestKey.reset()
      toast(kind === 'workflow' ? t`Resumed the workflow` : t`Started a new run in the same conversation`)
      await refreshRun(id)
      await navigate({ to: '/runs/$runId', params: { runId: next.id } })
    },
    onError: toastFailure,
  })
  return (
    <Button look={label ? 'plain' : 'primary'} busy={retry.isPending} onClick={() => retry.mutate()}>
      {label ?? (kind === 'workflow' ? t`Resume` : t`Retry`)}
    </Button>
  )
}
