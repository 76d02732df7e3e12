import { useQuery } from '@tanstack/react-query'
import { approvalQuery } from '../../../api/approvals.ts'
import { ApprovalPanel } from '../../approvals/approval-panel.tsx'
import { useOpenConversation } from '../conversation-context.ts'
import type { ApprovalView } from '../view/run-view.ts'

export interface CardProps {
  tool: string
  /** Undefined until it's read with the approval. */
  input?: unknown
  approval: ApprovalView
}

export function ApprovalCard({ tool, input, approval }: CardProps) {
  const { conversation } = useOpenConversation()
  const { data, isPending } = useQuery(approvalQuery(approval.id))
  const { id, summary, expiresAt } = approval
  const risk = data?.risk ?? 'none'
  return (
    <ApprovalPanel
      approval={{ id, summary, expiresAt, risk, tool, input: data?.input ?? input }}
      // If the server doesn't answer, the user can try to approve: it checks again.
      rights={
        isPending
          ? undefined
          : (data ?? {
              canDecide: conversation.canEdit,
              canApprove: true,
              canEditInput: false,
              requiresStepUp: false,
            })
      }
      projectId={conversation.projectId}
      projectName={data?.projectName}
      agentName={data?.agentName}
      sessionId={conversation.id}
    />
  )
}
