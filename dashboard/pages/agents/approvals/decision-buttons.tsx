import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { toolLabel } from '../../../../contract/agents/tool-label.ts'
import { t } from '../../../../contract/text.ts'
import { type Approval, refreshApprovals } from '../../../api/approvals.ts'
import { api } from '../../../api/client.ts'
import { isDeclinedStepUp } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { KEY_HINT, Keys } from '../../../components/kbd.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { DECISIONS } from './approval-labels.ts'

interface DecisionButtonsProps {
  noteHint: string
  approveLabel?: string
  /** False if the user can only deny. */
  canApprove?: boolean
  isBusy: boolean
  isCurrent: boolean
  onDecide: (decision: 'approve' | 'deny', note: string | undefined) => void
  children?: ReactNode
}

export function DecisionButtons(props: DecisionButtonsProps) {
  const {
    noteHint,
    approveLabel = t`Approve`,
    canApprove = true,
    isBusy,
    isCurrent,
    onDecide,
    children,
  } = props
  const [note, setNote] = useState<string>()
  const decide = (decision: 'approve' | 'deny') => {
    if (!isBusy) onDecide(decision, note?.trim() || undefined)
  }
  return (
    <>
      {note !== undefined && (
        <TextField
          label="Note"
          hint={noteHint}
          autoFocus
          limit={1000}
          autoComplete="off"
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      )}
      <div className="flex flex-wrap items-center gap-8">
        {canApprove && (
          <Button look="primary" busy={isBusy} data-approve onClick={() => decide('approve')}>
            {approveLabel}
            {isCurrent && <KeyHint keys="a" />}
          </Button>
        )}
        <Button busy={isBusy} data-deny onClick={() => decide('deny')}>
          Deny
          {isCurrent && <KeyHint keys="d" />}
        </Button>
        {children}
        {note === undefined && (
          <Button look="quiet" onClick={() => setNote('')}>
            Add note
          </Button>
        )}
      </div>
    </>
  )
}

export const KeyHint = ({ keys }: { keys: string }) => (
  <span aria-hidden className={`${KEY_HINT} rounded-control bg-card`}>
    <Keys keys={keys} />
  </span>
)

export interface DecisionInput {
  decision: 'approve' | 'deny'
  input?: unknown
  answer?: string
  note?: string
  scope?: 'once' | 'session' | 'agent'
}

/** The client asks for step-up where the risk requires it. */
export function useDecide({ id, tool }: Approval, onDecided: () => void) {
  return useMutation({
    mutationFn: (input: DecisionInput) => api.approvals.decide({ id, ...input }),
    onSuccess: async ({ decision }) => {
      toast(withNames`${DECISIONS[decision!].label}: ${toolLabel(tool)}`)
      onDecided()
      await refreshApprovals()
    },
    onError: async (error) => {
      if (isDeclinedStepUp(error)) return
      // Another member decided first: the list shows their decision.
      if (error instanceof ApiFailure && error.code === 'CONFLICT') await refreshApprovals()
    },
  })
}
