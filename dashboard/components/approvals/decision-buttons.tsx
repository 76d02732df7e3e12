import { type ReactNode, useRef, useState } from 'react'
import { t } from '../../../contract/text.ts'
import { useLayer } from '../../state/layers.ts'
import { Button } from '../button.tsx'
import { TextField } from '../forms/field.tsx'
import { KEY_HINT, Keys } from '../kbd.tsx'

interface DecisionButtonsProps {
  /** Who reads the reason. */
  reasonHint: string
  approveLabel?: string
  /** False if the user can only deny. */
  canApprove?: boolean
  isDisabled?: boolean
  isBusy: boolean
  isCurrent: boolean
  onDecide: (decision: 'approve' | 'deny', note: string | undefined) => void
  /** At the start of the row, such as when it expires. */
  start?: ReactNode
  /** Between Deny and Approve. */
  children?: ReactNode
}

/** Deny, Edit, Approve. Denying first asks for a reason. */
export function DecisionButtons(props: DecisionButtonsProps) {
  const { reasonHint, approveLabel = t`Approve`, canApprove = true, isBusy, isCurrent, onDecide } = props
  const [isDenying, setDenying] = useState(false)
  const deny = useRef<HTMLButtonElement>(null)
  if (isDenying)
    return (
      <DenyForm
        hint={reasonHint}
        isBusy={isBusy}
        onDeny={(reason) => onDecide('deny', reason || undefined)}
        onClose={() => {
          setDenying(false)
          requestAnimationFrame(() => deny.current?.focus())
        }}
      />
    )
  return (
    <div className="flex flex-wrap items-center gap-8">
      <span className="mr-auto flex min-w-0 flex-wrap items-center gap-x-8 gap-y-4 text-12 text-neutral-11">
        {props.start}
      </span>
      <Button ref={deny} look="quiet" data-deny disabled={isBusy} onClick={() => setDenying(true)}>
        Deny…
        {isCurrent && <KeyHint keys="d" />}
      </Button>
      {props.children}
      {canApprove && (
        <Button
          look="primary"
          busy={isBusy}
          disabled={props.isDisabled}
          data-approve
          onClick={() => !isBusy && onDecide('approve', undefined)}
        >
          {approveLabel}
          {isCurrent && <KeyHint keys="a" />}
        </Button>
      )}
    </div>
  )
}

interface DenyFormProps {
  hint: string
  isBusy: boolean
  onDeny: (reason: string) => void
  onClose: () => void
}

const REASON_MAX = 1000

function DenyForm({ hint, isBusy, onDeny, onClose }: DenyFormProps) {
  const [reason, setReason] = useState('')
  useLayer(onClose)
  return (
    <form
      className="flex flex-col gap-12"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) onDeny(reason.trim())
      }}
    >
      <TextField
        label="Reason (optional)"
        hint={hint}
        autoFocus
        limit={REASON_MAX}
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <div className="flex justify-end gap-8">
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button look="danger" type="submit" busy={isBusy}>
          Deny
        </Button>
      </div>
    </form>
  )
}

export const KeyHint = ({ keys }: { keys: string }) => (
  <span aria-hidden className={`${KEY_HINT} rounded-control bg-card`}>
    <Keys keys={keys} />
  </span>
)
