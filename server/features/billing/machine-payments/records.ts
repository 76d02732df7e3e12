import type { z } from 'zod'
import type { MachinePayment } from '../../../../contract/billing/machine-payments.ts'
import {
  type ApprovalReason,
  currencyDecimals,
  type PaymentMethod,
  type PaymentStatus,
} from '../../../../contract/billing/payment-options.ts'
import type { Sql } from '../../../database/database.ts'
import { publishIn } from '../../../events/publish.ts'

export interface Failure {
  code: string
  message: string
}

export interface Payee {
  name: string
  url: string | null
  account: string | null
}

export interface Charge {
  amount: string
  currency: string
  payee: Payee | null
  method: PaymentMethod
}

export interface PaymentRow {
  orgId: string
  id: string
  status: PaymentStatus
  /** With six decimals. */
  amount: string
  currency: string
  reason: string
  payee: Payee | null
  method: PaymentMethod
  provider: 'stripe' | null
  providerReference: string | null
  receipt: { reference: string; url: string | null } | null
  metadata: Record<string, unknown>
  projectId: string | null
  runId: string | null
  agentId: string | null
  keyId: string | null
  createdBy: string
  mandateId: string | null
  countedOn: string | null
  approvalId: string | null
  failureCode: string | null
  failureMessage: string | null
  refundStatus: 'processing' | 'succeeded' | 'failed' | null
  refundReference: string | null
  refundBy: string | null
  refundAt: string | null
  refundFailure: Failure | null
  inquiries: number
  createdAt: string
  settledAt: string | null
  approval: {
    reason: ApprovalReason
    message: string
    requestedAt: string
    expiresAt: string
    decision: 'approved' | 'denied' | 'expired' | null
    decidedBy: string | null
    decidedAt: string | null
    note: string | null
  } | null
}

export const presentPayment = (row: PaymentRow): z.output<typeof MachinePayment> => ({
  id: row.id,
  status: row.status,
  amount: inCurrency(row.amount, row.currency),
  currency: row.currency,
  reason: row.reason,
  payee: row.payee,
  method: row.method,
  provider: row.provider,
  providerReference: row.providerReference,
  receipt: row.receipt,
  metadata: row.metadata,
  projectId: row.projectId,
  runId: row.runId,
  agentId: row.agentId,
  createdBy: row.createdBy,
  keyId: row.keyId,
  mandateId: row.mandateId,
  approvalId: row.approvalId,
  approval: row.approval && {
    ...row.approval,
    requestedAt: isoTime(row.approval.requestedAt),
    expiresAt: isoTime(row.approval.expiresAt),
    decidedAt: row.approval.decidedAt && isoTime(row.approval.decidedAt),
  },
  refund: row.refundStatus && {
    status: row.refundStatus,
    requestedBy: row.refundBy!,
    requestedAt: row.refundAt!,
    failure: row.refundFailure,
  },
  failure: row.failureCode === null ? null : { code: row.failureCode, message: row.failureMessage ?? '' },
  createdAt: row.createdAt,
  settledAt: row.settledAt,
})

export function inCurrency(amount: string, currency: string): string {
  const [whole, fraction = ''] = amount.split('.')
  const decimals = currencyDecimals(currency)
  return decimals === 0 ? whole! : `${whole}.${fraction.padEnd(decimals, '0').slice(0, decimals)}`
}

/** Times inside JSON have PostgreSQL's format. */
const isoTime = (time: string) => new Date(time).toISOString()

type Change = 'created' | 'succeeded' | 'failed' | 'canceled' | 'unknown' | 'refunded'

/** Every member can read the event log, so only ids, states and numbers. */
export const publishPayment = (sql: Sql, payment: PaymentRow, change: Change, now: Date): Promise<void> =>
  publishIn(sql, payment.orgId, now, {
    type: `billing.payment.${change}`,
    data: {
      paymentId: payment.id,
      status: payment.status,
      amount: inCurrency(payment.amount, payment.currency),
      currency: payment.currency,
      method: payment.method,
      projectId: payment.projectId,
      runId: payment.runId,
      agentId: payment.agentId,
      mandateId: payment.mandateId,
    },
  })

/** `unknown`: the payment may or may not have been made. */
export type Answer =
  | { kind: 'succeeded'; reference: string; receipt: { reference: string; url: string | null } }
  | { kind: 'processing'; reference: string }
  | { kind: 'failed'; reference: string | null; code: string; message: string }
  | { kind: 'unknown'; reference: string | null; message: string }

/** `pending`: repeated under the same key. */
export type RefundAnswer =
  | { kind: 'refunded'; reference: string | null }
  | { kind: 'pending'; reference: string | null; message: string }
  | { kind: 'failed'; code: string; message: string }
