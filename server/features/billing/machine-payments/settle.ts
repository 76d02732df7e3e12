import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { addJob } from '../../../jobs/job.ts'
import { budgetsChanged, releaseAmount } from '../budgets/budgets.ts'
import { endAttempt, insertLedgerEntry } from './attempt-queries.ts'
import { uncountPayment } from './mandates/mandate-queries.ts'
import { lockPayment, updatePayment } from './payment-queries.ts'
import { type Answer, type PaymentRow, publishPayment } from './records.ts'
import { chargeStripe } from './stripe/charge.ts'
import type { Adapter } from './stripe/request.ts'
import { nextInquiry } from './timing.ts'

/** One transaction. A settled payment stays as it is. */
export const settle = (
  ctx: Pick<Context, 'sql' | 'now'>,
  { orgId, id }: Pick<PaymentRow, 'orgId' | 'id'>,
  answer: Answer,
  kind: 'charge' | 'inquiry',
): Promise<void> =>
  inTransaction(ctx.sql, async (sql) => {
    const row = await lockPayment(sql, orgId, id)
    if (!row) return
    const now = ctx.now()
    const message = 'message' in answer ? answer.message : null
    await endAttempt(
      sql,
      orgId,
      id,
      kind,
      { outcome: answer.kind, message, reference: answer.reference },
      now,
    )
    if (row.status !== 'processing' && row.status !== 'unknown') return
    await apply(sql, row, answer, now)
    const change = answer.kind === 'processing' || row.status === answer.kind ? null : answer.kind
    if (change) await publishPayment(sql, { ...row, status: change }, change, now)
  })

async function apply(sql: Sql, row: PaymentRow, answer: Answer, now: Date): Promise<void> {
  const { orgId, id } = row
  const providerReference = answer.reference
  if (answer.kind === 'processing' || answer.kind === 'unknown') {
    const dueAt = nextInquiry(now, row.inquiries)
    await updatePayment(sql, orgId, id, { status: answer.kind, providerReference, dueAt })
    return
  }
  const settled = { status: answer.kind, providerReference, settledAt: now }
  if (answer.kind === 'succeeded') {
    await updatePayment(sql, orgId, id, { ...settled, receipt: answer.receipt })
    await insertLedgerEntry(sql, row, 'charge', now)
  } else {
    const { code, message } = answer
    await updatePayment(sql, orgId, id, { ...settled, failure: { code, message } })
    if (row.mandateId) await uncountPayment(sql, orgId, row.mandateId, row.amount, row.countedOn!)
  }
  // Runs waiting for the reserved amount try again.
  if (await releaseAmount(sql, orgId, id)) await sql`select ${addJob(sql, budgetsChanged, { orgId })}`
}

/** Must be stored as `processing` first. */
export async function charge(
  ctx: Pick<Context<'outbound'>, 'sql' | 'outbound' | 'now'>,
  adapter: Adapter,
  row: PaymentRow,
): Promise<void> {
  const answer = await chargeStripe(ctx.outbound, adapter, row)
  await settle(ctx, row, answer, 'charge')
}
