import { t } from '../text.ts'

/** Plain data without schemas, for the server, the dashboard and the CLI. */

export const PAYMENT_STATUSES = [
  'requires_approval',
  'processing',
  'succeeded',
  'failed',
  'unknown',
  'recorded',
  'canceled',
  'refunded',
] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

export const PAYMENT_METHODS = ['record', 'stripe', 'mpp', 'x402'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

export const MANDATE_HOLDERS = ['key', 'agent', 'project'] as const
export type MandateHolder = (typeof MANDATE_HOLDERS)[number]

/** Why a payment needs approval. */
export const APPROVAL_REASONS = {
  untrusted_run: t`The run read untrusted content`,
  no_mandate: t`No mandate covers the payment`,
  mandate_revoked: t`The mandate was revoked`,
  mandate_expired: t`The mandate has expired`,
  currency: t`The mandate uses another currency`,
  method: t`The mandate does not allow the method`,
  payee: t`The mandate doesn’t list this payee`,
  per_payment: t`The amount exceeds the mandate’s limit per payment`,
  per_day: t`The amount exceeds the mandate’s daily limit`,
  total: t`The amount exceeds the mandate’s total limit`,
  budget: t`A budget doesn’t allow the payment`,
} as const
export type ApprovalReason = keyof typeof APPROVAL_REASONS
export const APPROVAL_REASON_NAMES = Object.keys(APPROVAL_REASONS) as [ApprovalReason, ...ApprovalReason[]]

export const PAYMENT_LIMITS = {
  reason: 500,
  payeeName: 200,
  payeeAccount: 200,
  url: 2000,
  payees: 100,
} as const

const ZERO_DECIMALS = new Set(
  'bif clp djf gnf isk jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' '),
)
const THREE_DECIMALS = new Set('bhd iqd jod kwd lyd omr tnd'.split(' '))

export function currencyDecimals(currency: string): number {
  if (ZERO_DECIMALS.has(currency)) return 0
  return THREE_DECIMALS.has(currency) ? 3 : 2
}
