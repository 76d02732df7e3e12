import type { Approval } from '../../../api/approvals.ts'
import type { Payment } from '../../../api/payments.ts'

/** The items that wait for a person: calls and questions of agents, and payments. */
export type InboxItem =
  | { kind: 'approval' | 'input'; id: string; requestedAt: string; approval: Approval }
  | { kind: 'payment'; id: string; requestedAt: string; payment: Payment }

/** Newest first. */
export const inboxOf = (approvals: Approval[], payments: Payment[]): InboxItem[] =>
  [
    ...approvals.map(
      (approval): InboxItem => ({
        kind: approval.kind,
        id: approval.id,
        requestedAt: approval.requestedAt,
        approval,
      }),
    ),
    ...payments.map(
      (payment): InboxItem => ({
        kind: 'payment',
        id: payment.id,
        requestedAt: payment.approval?.requestedAt ?? payment.createdAt,
        payment,
      }),
    ),
  ].toSorted((a, b) => Date.parse(b.requestedAt) - Date.parse(a.requestedAt))
