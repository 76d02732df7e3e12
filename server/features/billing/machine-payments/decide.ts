import type { machinePayments } from '../../../../contract/billing/machine-payments.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { ApiError, conflict, notFound, raise } from '../../../errors.ts'
import { type PaymentDecision, updateDecision } from './approval-queries.ts'
import { insertAttempt } from './attempt-queries.ts'
import { describeRefusal, reserve } from './authorize.ts'
import { findPayment, lockPayment, updatePayment } from './payment-queries.ts'
import { checkCharge, findAdapter } from './provider.ts'
import { type Failure, type PaymentRow, presentPayment, publishPayment } from './records.ts'
import { charge } from './settle.ts'
import type { Adapter } from './stripe/request.ts'
import { sendingEnd } from './timing.ts'

/** A second concurrent decision is refused. */
export const decidePayment =
  (stripeUrl: string) =>
  async (ctx: Context<'outbound' | 'vault'>, input: InputOf<typeof machinePayments.decide>) => {
    const { orgId, userId } = ctx.caller
    const { id, decision, note = null } = input
    const approved = await ctx.transaction(async (inside) => {
      const { sql } = inside
      const row = (await lockPayment(sql, orgId, id)) ?? raise(notFound('Machine payment'))
      if (row.status !== 'requires_approval') throw notWaiting(row)
      const now = ctx.now()
      // The expiry job runs only once a minute.
      if (new Date(row.approval!.expiresAt) <= now) throw conflict('The approval has expired')
      const details = { decision, amount: row.amount, currency: row.currency }
      await recordAudit(inside, { action: 'payment.decided', by: ctx.caller, target: id, details })
      if (decision === 'deny') {
        const denial = { code: 'denied', message: note ?? 'A member denied the payment' }
        await cancelPayment(sql, row, { decision: 'denied', by: userId, note }, denial, now)
        return null
      }
      const adapter = await findAdapter(inside, stripeUrl, orgId, row.method)
      await approve(inside, row, { decision: 'approved', by: userId, note }, adapter)
      return adapter && { adapter, row: (await findPayment(sql, orgId, id))! }
    })
    if (approved) await charge(ctx, approved.adapter, approved.row)
    return presentPayment((await findPayment(ctx.sql, orgId, id))!)
  }

/** A budget must be raised first, but a mandate isn't needed. */
async function approve(
  { sql, now }: Pick<Context, 'sql' | 'now'>,
  row: PaymentRow,
  decision: PaymentDecision,
  adapter: Adapter | null,
): Promise<void> {
  const { orgId, id } = row
  await updateDecision(sql, orgId, id, decision, now())
  if (!adapter) {
    await updatePayment(sql, orgId, id, { status: 'recorded', settledAt: now() })
    return
  }
  checkCharge(row)
  const refusal = await reserve(sql, row, row, now())
  if (refusal) throw conflict(describeRefusal(refusal, row.currency) + remedyOf(row))
  await updatePayment(sql, orgId, id, { status: 'processing', provider: 'stripe', dueAt: sendingEnd(now()) })
  await insertAttempt(sql, row, 'charge', adapter, now())
}

/** Budgets are in US dollars. */
const remedyOf = ({ currency }: PaymentRow) => (currency === 'usd' ? ': raise it first' : '')

/** Must be locked and waiting for approval. */
export async function cancelPayment(
  sql: Sql,
  payment: PaymentRow,
  decision: PaymentDecision,
  failure: Failure,
  now: Date,
): Promise<void> {
  const { orgId, id } = payment
  await updateDecision(sql, orgId, id, decision, now)
  await updatePayment(sql, orgId, id, { status: 'canceled', failure, settledAt: now })
  await publishPayment(sql, { ...payment, status: 'canceled' }, 'canceled', now)
}

const notWaiting = ({ status }: PaymentRow) =>
  new ApiError('CONFLICT', `This payment is not waiting for approval: it is ${status}`, {
    details: { reason: 'decided', status } as never,
  })
