import {
  type MandateHolder,
  PAYMENT_STATUSES,
  type PaymentMethod,
  type PaymentStatus,
} from '../../../../contract/billing/payment-options.ts'
import type { Meaning } from '../../../components/status.tsx'

export const PAYMENT_LABELS: Record<PaymentStatus, { label: string; meaning: Meaning; text: string }> = {
  requires_approval: {
    label: 'Needs approval',
    meaning: 'warning',
    text: 'Nothing is paid until an admin approves it.',
  },
  processing: { label: 'Processing', meaning: 'info', text: 'The provider is processing the payment.' },
  succeeded: { label: 'Succeeded', meaning: 'good', text: 'The provider charged the payment method.' },
  failed: { label: 'Failed', meaning: 'bad', text: 'No money moved.' },
  unknown: {
    label: 'Unknown',
    meaning: 'warning',
    text: 'The response of the provider was lost. The server requests the result, and never charges again.',
  },
  recorded: {
    label: 'Recorded',
    meaning: 'neutral',
    text: 'No money moved: no provider is configured for the method.',
  },
  canceled: { label: 'Canceled', meaning: 'neutral', text: 'No money moved.' },
  refunded: { label: 'Refunded', meaning: 'accent', text: 'The provider returned the whole amount.' },
}

export const METHOD_LABELS: Record<PaymentMethod, string> = {
  record: 'Record only',
  stripe: 'Stripe',
  mpp: 'MPP',
  x402: 'x402',
}

export const HOLDER_LABELS: Record<MandateHolder, string> = {
  key: 'API key',
  agent: 'Agent',
  project: 'Project',
}

export const statusOf = (text: string | undefined): PaymentStatus | undefined =>
  PAYMENT_STATUSES.find((status) => status === text)

/** The amount as it is written in its currency. */
export function formatMoney(amount: string, currency: string): string {
  const decimals = amount.split('.')[1]?.length ?? 0
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return format.format(Number(amount))
}
