import type { machinePayments } from '../../../../contract/billing/machine-payments.ts'
import { canonicalJson } from '../../../../contract/canonical-json.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { conflict } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import { newId } from '../../../security/ids.ts'
import { type ApprovalRequest, insertApproval } from './approval-queries.ts'
import { insertAttempt } from './attempt-queries.ts'
import { type Authorization, authorize, describeRefusal, reserve } from './authorize.ts'
import { needsApproval } from './mandates/coverage.ts'
import { countPayment } from './mandates/mandate-queries.ts'
import { approvalRequested } from './notify.ts'
import { type Payer, resolvePayer } from './payer.ts'
import { findByKey, findPayment, insertPayment } from './payment-queries.ts'
import { checkCharge, findAdapter } from './provider.ts'
import type { Charge } from './records.ts'
import { type Failure, type PaymentRow, presentPayment, publishPayment } from './records.ts'
import { charge } from './settle.ts'
import type { Adapter } from './stripe/request.ts'
import { sendingEnd } from './timing.ts'

/** A repeated key returns the current payment, and never charges. */
export const createPayment =
  (stripeUrl: string) =>
  async (ctx: Context<'outbound' | 'quotas' | 'vault'>, input: InputOf<typeof machinePayments.create>) => {
    const { orgId } = ctx.caller
    const opened = await ctx.transaction(async (inside) => {
      const requestHash = sha256(canonicalJson(input))
      const existing = await findByKey(inside.sql, orgId, input.idempotencyKey)
      if (existing && !existing.requestHash.equals(requestHash))
        throw conflict('body.idempotencyKey was already used for a payment with another body')
      if (existing) return { existing }
      const adapter = await findAdapter(inside, stripeUrl, orgId, input.method)
      return { adapter, row: await openPayment(inside, input, requestHash, adapter) }
    })
    if (opened.existing) return reply(presentPayment(opened.existing), { status: 200 })
    const { row, adapter } = opened
    if (row.status === 'processing') await charge(ctx, adapter!, row)
    return presentPayment((await findPayment(ctx.sql, orgId, row.id))!)
  }

/** Nothing is sent before this commits. */
async function openPayment(
  ctx: Context<'quotas'>,
  input: InputOf<typeof machinePayments.create>,
  requestHash: Buffer,
  adapter: Adapter | null,
): Promise<PaymentRow> {
  const { sql } = ctx
  const now = ctx.now()
  const id = newId()
  const payer = await resolvePayer(ctx, input)
  const charge = chargeOf(input, adapter)
  if (adapter) checkCharge(charge)
  const authorization = await authorize(ctx, payer, charge, { mandateId: input.mandateId, lock: true })
  const { status, approvalRequest, failure } = await verdictOf(
    ctx,
    payer,
    { id, ...charge },
    authorization,
    adapter,
  )
  const isPaid = status === 'processing' || status === 'recorded'
  const mandateId = isPaid && 'mandateId' in authorization ? authorization.mandateId : null
  const approvalId = approvalRequest
    ? newId()
    : 'approvalId' in authorization
      ? authorization.approvalId
      : null
  const countedOn = mandateId && (await countPayment(sql, payer.orgId, mandateId, charge.amount, now))
  const { orgId, createdBy, keyId, agentId, projectId, runId } = payer
  const { idempotencyKey, reason, metadata = {} } = input
  await insertPayment(sql, {
    ...{ ...charge, orgId, id, idempotencyKey, requestHash, status, reason, metadata },
    ...{ createdBy, keyId, agentId, projectId, runId, mandateId, countedOn, approvalId, now },
    provider: status === 'processing' ? 'stripe' : null,
    failureCode: failure?.code ?? null,
    failureMessage: failure?.message ?? null,
    dueAt: status === 'processing' ? sendingEnd(now) : null,
    settledAt: status === 'recorded' || status === 'failed' ? now : null,
  })
  await ctx.quotas.requireWithin(sql, orgId, 'payments', now)
  if (approvalRequest) {
    await insertApproval(sql, orgId, { id: approvalId!, paymentId: id, ...approvalRequest, now })
    await ctx.enqueue(approvalRequested, { orgId })
  }
  const row = (await findPayment(sql, orgId, id))!
  if (status === 'processing') await insertAttempt(sql, row, 'charge', adapter!, now)
  const details = { amount: charge.amount, currency: charge.currency, status }
  await recordAudit(ctx, { action: 'payment.created', by: ctx.caller, target: id, details })
  await publishPayment(sql, row, 'created', now)
  if (status === 'failed') await publishPayment(sql, row, 'failed', now)
  return row
}

function chargeOf(input: InputOf<typeof machinePayments.create>, adapter: Adapter | null): Charge {
  const { amount, currency, payee, method = adapter ? 'stripe' : 'record' } = input
  return {
    amount,
    currency,
    method,
    payee: payee ? { name: payee.name, url: payee.url ?? null, account: payee.account ?? null } : null,
  }
}

interface Verdict {
  status: 'processing' | 'recorded' | 'requires_approval' | 'failed'
  approvalRequest?: ApprovalRequest
  failure?: Failure
}

/** Without an adapter no money moves, so no budget applies. A budget that pauses runs requires approval. */
async function verdictOf(
  ctx: Context,
  payer: Payer,
  payment: { id: string; amount: string; currency: string },
  authorization: Authorization,
  adapter: Adapter | null,
): Promise<Verdict> {
  if ('reason' in authorization) return { status: 'requires_approval', approvalRequest: authorization }
  if (!adapter) return { status: 'recorded' }
  const refusal = await reserve(ctx.sql, payer, payment, ctx.now())
  if (!refusal) return { status: 'processing' }
  const message = describeRefusal(refusal, payment.currency)
  return refusal.onReach === 'pause'
    ? { status: 'requires_approval', approvalRequest: needsApproval('budget', message) }
    : { status: 'failed', failure: { code: 'budget_reached', message } }
}
