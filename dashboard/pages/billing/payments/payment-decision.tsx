import { useState } from 'react'
import { failureMessage } from '../../../api/explain.ts'
import type { PaymentDetails } from '../../../api/payments.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Time } from '../../../components/time.tsx'
import { formatMoney } from './payment-labels.ts'
import { useDecidePayment } from './use-decide-payment.ts'

/** Approves or denies a payment that waits for a person. */
export function PaymentDecision({ payment }: { payment: PaymentDetails }) {
  const { amount, currency, approval } = payment
  const [note, setNote] = useState('')
  const decide = useDecidePayment(payment)
  return (
    <div className="mt-16 flex flex-col gap-12 border border-warning-line bg-warning-wash p-12">
      {approval && (
        <p className="text-13">
          {approval.message}. It counts as denied <Time at={approval.expiresAt} isExpected />.
        </p>
      )}
      <FormFailure>{failureMessage(decide.error)}</FormFailure>
      <TextField
        label="Note (optional)"
        limit={1000}
        autoComplete="off"
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <div className="flex flex-wrap gap-8">
        <Button
          look="primary"
          busy={decide.isPending && decide.variables.decision === 'approve'}
          onClick={() => decide.mutate({ decision: 'approve', note })}
        >
          Approve {formatMoney(amount, currency)}
        </Button>
        <Button
          busy={decide.isPending && decide.variables.decision === 'deny'}
          onClick={() => decide.mutate({ decision: 'deny', note })}
        >
          Deny
        </Button>
      </div>
    </div>
  )
}
