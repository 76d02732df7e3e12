import type { Sql } from '../../../database/database.ts'
import { publishIn } from '../../../events/publish.ts'
import { inCurrency, type PaymentRow } from './records.ts'

type Change = 'created' | 'succeeded' | 'failed' | 'canceled' | 'unknown' | 'refunded'

/** Publishes ids, states and numbers only: every member can read the event log. */
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
