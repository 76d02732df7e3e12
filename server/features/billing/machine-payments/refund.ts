import type { machinePayments } from '../../../../contract/billing/machine-payments.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { ApiError, conflict, notFound, raise } from '../../../errors.ts'
import { countRefunds, endAttempt, insertAttempt, insertLedgerEntry } from './attempt-queries.ts'
import { findPayment, lockPayment, startRefund, updatePayment, updateRefund } from './payment-queries.ts'
import { findAdapter } from './provider.ts'
import { type PaymentRow, presentPayment, publishPayment, type RefundAnswer } from './records.ts'
import { refundStripe } from './stripe/refund.ts'
import type { Adapter } from './stripe/request.ts'
import { nextInquiry, sendingEnd } from './timing.ts'

/** Only the first call sends a refund. */
export const refundPayment =
  (stripeUrl: string) =>
  async (ctx: Context<'outbound' | 'vault'>, { id }: InputOf<typeof machinePayments.refund>) => {
    const { orgId, userId } = ctx.caller
    const started = await ctx.transaction(async (inside) => {
      const { sql } = inside
      const row = (await lockPayment(sql, orgId, id)) ?? raise(notFound('Machine payment'))
      if (row.status === 'refunded' || row.refundStatus === 'processing') return null
      if (row.status !== 'succeeded') throw notRefundable(row)
      const adapter =
        (await findAdapter(inside, stripeUrl, orgId, 'stripe')) ??
        raise(conflict('No payment provider is configured: set the one that was charged'))
      const now = ctx.now()
      await startRefund(sql, orgId, id, userId, sendingEnd(now), now)
      await insertAttempt(sql, row, 'refund', adapter, now)
      const details = { amount: row.amount, currency: row.currency }
      await recordAudit(inside, { action: 'payment.refunded', by: ctx.caller, target: id, details })
      return { adapter, row: (await findPayment(sql, orgId, id))! }
    })
    if (started) await sendRefund(ctx, started.adapter, started.row)
    return presentPayment((await findPayment(ctx.sql, orgId, id))!)
  }

/** Also repeats it under the same key. */
export async function sendRefund(
  ctx: Pick<Context<'outbound'>, 'sql' | 'outbound' | 'now'>,
  adapter: Adapter,
  row: PaymentRow,
): Promise<void> {
  const n = await countRefunds(ctx.sql, row.orgId, row.id)
  const answer = await refundStripe(ctx.outbound, adapter, row, `${row.id}-refund-${n}`)
  await settleRefund(ctx, row, answer)
}

const settleRefund = (
  ctx: Pick<Context, 'sql' | 'now'>,
  { orgId, id }: PaymentRow,
  answer: RefundAnswer,
): Promise<void> =>
  inTransaction(ctx.sql, async (sql) => {
    const row = await lockPayment(sql, orgId, id)
    if (row?.refundStatus !== 'processing') return
    const now = ctx.now()
    const reference = 'reference' in answer ? answer.reference : null
    if (answer.kind === 'pending') {
      await updateRefund(sql, orgId, id, { status: 'processing', reference, failure: null })
      await updatePayment(sql, orgId, id, { status: row.status, dueAt: nextInquiry(now, row.inquiries) })
      return
    }
    const isRefunded = answer.kind === 'refunded'
    const failure = answer.kind === 'failed' ? { code: answer.code, message: answer.message } : null
    const message = failure?.message ?? null
    await endAttempt(sql, orgId, id, 'refund', { outcome: answer.kind, message, reference }, now)
    await updateRefund(sql, orgId, id, { status: isRefunded ? 'succeeded' : 'failed', reference, failure })
    await updatePayment(
      sql,
      orgId,
      id,
      isRefunded ? { status: 'refunded', settledAt: now } : { status: row.status },
    )
    if (!isRefunded) return
    await insertLedgerEntry(sql, row, 'refund', now)
    await publishPayment(sql, { ...row, status: 'refunded' }, 'refunded', now)
  })

const notRefundable = ({ status }: PaymentRow) =>
  new ApiError('CONFLICT', `Only a payment that succeeded can be refunded; this one is ${status}`, {
    details: { reason: 'not_refundable', status } as never,
  })
