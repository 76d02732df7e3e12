import { type ReactNode, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { KeyHint } from './key-hint.tsx'

interface DecisionButtonsProps {
  /** States who reads the note. */
  noteHint: string
  approveLabel?: string
  /** False if the person can only deny. */
  canApprove?: boolean
  isBusy: boolean
  isCurrent: boolean
  onDecide: (decision: 'approve' | 'deny', note: string | undefined) => void
  /** Further controls, before the button that adds a note. */
  children?: ReactNode
}

/** Approves or denies, with a note if the person adds one. */
export function DecisionButtons(props: DecisionButtonsProps) {
  const {
    noteHint,
    approveLabel = 'Approve',
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
