import { Link } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { failureMessage } from '../../../api/explain.ts'
import type { Payment } from '../../../api/payments.ts'
import { formatMoney } from '../../../components/amounts.ts'
import { DecisionButtons } from '../../../components/approvals/decision-buttons.tsx'
import { Badge } from '../../../components/badge.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { approvalReason, METHOD_LABELS } from '../../billing/payments/payment-labels.ts'
import { useDecidePayment } from '../../billing/payments/use-decide-payment.ts'

interface PaymentCardProps {
  payment: Payment
  isCurrent: boolean
  onDecided: () => void
}

export function PaymentCard({ payment, isCurrent, onDecided }: PaymentCardProps) {
  const { id, amount, currency, reason, payee, method, runId, approval } = payment
  const sum = formatMoney(amount, currency)
  return (
    <article
      aria-label={t`Pay ${sum}: ${reason}`}
      data-approval={id}
      aria-current={isCurrent || undefined}
      className="flex flex-col gap-12 rounded-panel bg-card p-16 shadow-waiting"
    >
      <header className="flex flex-wrap items-center gap-x-8 gap-y-4 text-12 text-neutral-11">
        <Badge>Payment</Badge>
        <span className="min-w-0">
          {runId ? t`An agent` : t`A program`} · {METHOD_LABELS[method]} ·{' '}
          <Time at={approval?.requestedAt ?? payment.createdAt} />
          {' · '}
          <Link
            to="/settings/organization/payments/$paymentId"
            params={{ paymentId: id }}
            data-open
            className="underline hover:text-neutral-12"
          >
            Open payment
          </Link>
        </span>
        {approval && (
          <span className="ml-auto whitespace-nowrap">
            Expires <Time at={approval.expiresAt} isExpected />
          </span>
        )}
      </header>
      <h2 className="wrap-anywhere font-medium">
        Pay {sum}
        {payee && (
          <>
            {' '}
            to <Name>{payee.name}</Name>
          </>
        )}
      </h2>
      <p className="wrap-anywhere text-13">{reason}</p>
      <p className="wrap-anywhere text-13 text-neutral-11">
        {[approval && approvalReason(approval), payee?.account ?? payee?.url].filter(Boolean).join(' · ')}
      </p>
      <Decision payment={payment} sum={sum} isCurrent={isCurrent} onDecided={onDecided} />
    </article>
  )
}

function Decision({ payment, sum, isCurrent, onDecided }: PaymentCardProps & { sum: string }) {
  const decide = useDecidePayment(payment, onDecided)
  return (
    <>
      <FormFailure>{failureMessage(decide.error)}</FormFailure>
      <DecisionButtons
        reasonHint={t`Saved with the payment and in the audit log.`}
        approveLabel={t`Approve ${sum}`}
        isBusy={decide.isPending}
        isCurrent={isCurrent}
        onDecide={(decision, note = '') => decide.mutate({ decision, note })}
      />
      <p className="text-12 text-neutral-11">
        {payment.method !== 'stripe' && t`Approving only records the payment. No money moves. `}You’ll need to
        confirm your identity to decide.
      </p>
    </>
  )
}
