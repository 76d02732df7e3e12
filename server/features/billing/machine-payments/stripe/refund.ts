import { z } from 'zod'
import type { Outbound } from '../../../../outbound/outbound.ts'
import type { PaymentRow, RefundAnswer } from '../records.ts'
import { METADATA_KEY } from './charge.ts'
import type { Adapter } from './request.ts'
import { callStripe } from './request.ts'

const Refund = z.object({
  id: z.string(),
  status: z.enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled']).nullable(),
  failure_reason: z.string().optional(),
})

/** Safe to repeat: a pending refund keeps its key, and Stripe never refunds twice. */
export async function refundStripe(
  outbound: Outbound,
  adapter: Adapter,
  payment: PaymentRow,
  idempotencyKey: string,
): Promise<RefundAnswer> {
  const outcome = await callStripe(
    outbound,
    adapter,
    payment.refundReference === null
      ? { method: 'POST', path: 'refunds', idempotencyKey, fields: fieldsOf(payment) }
      : { method: 'GET', path: `refunds/${encodeURIComponent(payment.refundReference)}` },
  )
  if (outcome.kind === 'lost') return { kind: 'pending', reference: null, message: outcome.message }
  if (outcome.kind === 'error') {
    const { status, code, message } = outcome.error
    if (code === 'charge_already_refunded') return { kind: 'refunded', reference: null }
    return status === 409 || status === 429
      ? { kind: 'pending', reference: null, message }
      : { kind: 'failed', code, message }
  }
  const refund = Refund.safeParse(outcome.body)
  if (!refund.success)
    return { kind: 'pending', reference: null, message: 'Stripe’s response isn’t a refund' }
  const { id: reference, status, failure_reason: reason } = refund.data
  if (status === 'succeeded') return { kind: 'refunded', reference }
  if (status !== 'failed' && status !== 'canceled')
    return { kind: 'pending', reference, message: 'Stripe is processing the refund' }
  return { kind: 'failed', code: reason ?? status, message: `Stripe could not refund the payment: ${status}` }
}

/** Reverses the transfer to a connected account. */
const fieldsOf = ({ id, providerReference, payee }: PaymentRow): Record<string, string> => ({
  payment_intent: providerReference!,
  [`metadata[${METADATA_KEY}]`]: id,
  ...(payee?.account && { reverse_transfer: 'true' }),
})
