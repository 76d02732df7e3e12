import { useState } from 'react'
import { type PaymentDetails, paymentApi } from '../../../api/payments.ts'
import { Button } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { formatMoney } from './payment-labels.ts'

/** Returns the whole amount of a payment, or shows the state of its refund. */
export function PaymentRefund({ payment }: { payment: PaymentDetails }) {
  const { id, status, amount, currency, refund } = payment
  const [open, setOpen] = useState(false)
  if (status === 'refunded') return null
  if (refund?.status === 'processing')
    return <p className="mt-12 text-13 text-neutral-11">A refund is in progress.</p>
  return (
    <div className="mt-12 flex flex-col items-start gap-8">
      {refund?.failure && (
        <p role="status" className="text-13 text-bad-text">
          The refund failed: {refund.failure.message}
        </p>
      )}
      <Button onClick={() => setOpen(true)}>Refund</Button>
      {open && (
        <ConfirmDialog
          title="Refund the payment"
          phrase="refund"
          action={`Refund ${formatMoney(amount, currency)}`}
          mutate={() => paymentApi.machinePayments.refund({ id })}
          invalidates={[['payments']]}
          success="Requested the refund"
          onClose={() => setOpen(false)}
        >
          <p>The provider returns the whole amount to the payment method. A refund cannot be undone.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
