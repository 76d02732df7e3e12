import { useMutation } from '@tanstack/react-query'
import { ApiFailure } from '../../../client/client.ts'
import { toolLabel } from '../../../contract/agents/tool-label.ts'
import { type Approval, refreshApprovals } from '../../api/approvals.ts'
import { api } from '../../api/client.ts'
import { isDeclinedStepUp } from '../../api/explain.ts'
import { withNames } from '../name.tsx'
import { toast } from '../toast.tsx'
import { DECISIONS } from './approval-labels.ts'

export interface DecisionInput {
  decision: 'approve' | 'deny'
  input?: unknown
  answer?: string
  note?: string
  scope?: 'once' | 'session' | 'agent'
}

/** The client asks for step-up where the risk requires it. */
export function useDecide({ id, tool }: Pick<Approval, 'id' | 'tool'>, onDecided?: () => void) {
  return useMutation({
    mutationFn: (input: DecisionInput) => api.approvals.decide({ id, ...input }),
    onSuccess: async ({ decision }) => {
      // In a conversation, the answer goes on: it needs no message.
      if (onDecided) toast(withNames`${DECISIONS[decision!].label}: ${toolLabel(tool)}`)
      onDecided?.()
      await refreshApprovals()
    },
    onError: async (error) => {
      if (isDeclinedStepUp(error)) return
      // Another member decided first: the list shows their decision.
      if (error instanceof ApiFailure && error.code === 'CONFLICT') await refreshApprovals()
    },
  })
}
