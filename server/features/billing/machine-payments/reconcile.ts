import type { JobContext } from '../../../context.ts'
import { listExpired } from './approval-queries.ts'
import { findCharge, insertAttempt } from './attempt-queries.ts'
import { cancelPayment } from './decide.ts'
import { claimDue, lockPayment } from './payment-queries.ts'
import { findAdapter } from './provider.ts'
import type { PaymentRow } from './records.ts'
import { sendRefund } from './refund.ts'
import { settle } from './settle.ts'
import { inquireStripe } from './stripe/inquire.ts'
import { isLost } from './timing.ts'

const CLAIMED_MAX = 20
const EXPIRED_MAX = 200

/**
 * After a dead process or lost response. Never sends a charge, only repeats a refund, which the provider makes once.
 */
export const reconcile = (stripeUrl: string) => async (ctx: JobContext<'outbound' | 'vault'>) => {
  await expireApprovals(ctx)
  for (const row of await claimDue(ctx.sql, { now: ctx.now(), limit: CLAIMED_MAX }))
    await reconcileOne(ctx, stripeUrl, row)
}

async function reconcileOne(
  ctx: JobContext<'outbound' | 'vault'>,
  stripeUrl: string,
  row: PaymentRow,
): Promise<void> {
  const { orgId, id } = row
  const adapter = await findAdapter(ctx, stripeUrl, orgId, 'stripe')
  if (row.refundStatus === 'processing') {
    if (adapter) await sendRefund(ctx, adapter, row)
    return
  }
  // The process that sent the charge would have stored the answer by now.
  const lost = { kind: 'unknown', reference: null, message: 'The provider’s response was lost' } as const
  if (row.status === 'processing' && row.providerReference === null) await settle(ctx, row, lost, 'charge')
  const charge = await findCharge(ctx.sql, orgId, id)
  if (!adapter || !charge) return
  await insertAttempt(ctx.sql, row, 'inquiry', adapter, ctx.now())
  const answer = await inquireStripe(ctx.outbound, adapter, row, charge)
  if (answer.kind !== 'absent') return settle(ctx, row, answer, 'inquiry')
  const absent = { reference: null, message: 'The provider has not received the payment' }
  return isLost(charge.startedAt, ctx.now())
    ? settle(ctx, row, { kind: 'failed', code: 'not_received', ...absent }, 'inquiry')
    : settle(ctx, row, { kind: 'unknown', ...absent }, 'inquiry')
}

async function expireApprovals(ctx: JobContext): Promise<void> {
  for (const { orgId, id } of await listExpired(ctx.sql, ctx.now(), EXPIRED_MAX))
    await ctx.transaction(async ({ sql }) => {
      const row = await lockPayment(sql, orgId, id)
      if (row?.status !== 'requires_approval') return
      const message = 'Nobody approved the payment within 24 hours'
      const decision = { decision: 'expired', by: null, note: null } as const
      await cancelPayment(sql, row, decision, { code: 'approval_expired', message }, ctx.now())
    })
}
