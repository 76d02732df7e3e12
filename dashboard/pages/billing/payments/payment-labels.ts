import {
  APPROVAL_REASONS,
  type ApprovalReason,
  type MandateHolder,
  PAYMENT_STATUSES,
  type PaymentMethod,
  type PaymentStatus,
} from '../../../../contract/billing/payment-options.ts'
import { t } from '../../../../contract/text.ts'
import { formatMoney } from '../../../components/amounts.ts'
import type { Meaning } from '../../../components/status.tsx'

export const PAYMENT_LABELS: Record<PaymentStatus, { label: string; meaning: Meaning; text: string }> = {
  requires_approval: {
    label: t`Needs approval`,
    meaning: 'warning',
    text: t`Nothing is paid until an admin approves.`,
  },
  processing: { label: t`Processing`, meaning: 'info', text: t`The provider is processing the payment.` },
  succeeded: { label: t`Succeeded`, meaning: 'good', text: t`The provider charged the payment method.` },
  failed: { label: t`Failed`, meaning: 'bad', text: t`No money moved.` },
  unknown: {
    label: t`Unknown`,
    meaning: 'warning',
    text: t`The provider’s response was lost. The server is checking the result and won’t charge again.`,
  },
  recorded: {
    label: t`Recorded`,
    meaning: 'neutral',
    text: t`No money moved because no provider is set up for this method.`,
  },
  canceled: { label: t`Canceled`, meaning: 'neutral', text: t`No money moved.` },
  refunded: { label: t`Refunded`, meaning: 'accent', text: t`The provider returned the full amount.` },
}

export const METHOD_LABELS: Record<PaymentMethod, string> = {
  record: t`Record only`,
  stripe: 'Stripe',
  mpp: 'MPP',
  x402: 'x402',
}

export const HOLDER_LABELS: Record<MandateHolder, string> = {
  key: t`API key`,
  agent: t`Agent`,
  project: t`Project`,
}

/** With the mandate's limit, which the server appends as `, 5.00 usd`. */
export function approvalReason({ reason, message }: { reason: ApprovalReason; message: string }): string {
  const [, amount, currency] = /, (\d+(?:\.\d+)?) ([A-Za-z]{3})$/.exec(message) ?? []
  const text = APPROVAL_REASONS[reason]
  return amount && currency ? `${text}, ${formatMoney(amount, currency)}` : text
}

export const parsePaymentStatus = (text: string | undefined): PaymentStatus | undefined =>
  PAYMENT_STATUSES.find((status) => status === text)
