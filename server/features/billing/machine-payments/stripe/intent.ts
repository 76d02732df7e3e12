import { z } from 'zod'
import type { Outbound } from '../../../../outbound/outbound.ts'
import type { Answer } from '../answer.ts'
import type { Adapter } from '../provider/adapter.ts'
import { callStripe } from './request.ts'

/** The name under which an intent contains the id of our payment. */
export const METADATA_KEY = 'atrium_payment'

export const Intent = z.object({
  id: z.string(),
  status: z.enum([
    'succeeded',
    'processing',
    'requires_action',
    'requires_capture',
    'requires_confirmation',
    'requires_payment_method',
    'canceled',
  ]),
  metadata: z.record(z.string(), z.string()),
  latest_charge: z
    .union([z.string(), z.object({ id: z.string(), receipt_url: z.string().nullable().optional() })])
    .nullable(),
  last_payment_error: z
    .object({
      code: z.string().optional(),
      decline_code: z.string().optional(),
      message: z.string().optional(),
    })
    .nullable(),
})
type Intent = z.output<typeof Intent>

/**
 * The status of our payment, derived from a payment intent. One that waits for a person at the bank is canceled, so that it cannot be paid
 * after we reported that it failed.
 */
export async function answerOf(outbound: Outbound, adapter: Adapter, intent: Intent): Promise<Answer> {
  const { id: reference, status, latest_charge: charge, last_payment_error: error } = intent
  if (status === 'succeeded') {
    const receipt =
      charge === null
        ? { reference, url: null }
        : typeof charge === 'string'
          ? { reference: charge, url: null }
          : { reference: charge.id, url: charge.receipt_url ?? null }
    return { kind: 'succeeded', reference, receipt }
  }
  if (status === 'processing') return { kind: 'processing', reference }
  const failed: Answer = {
    kind: 'failed',
    reference,
    code: error?.decline_code ?? error?.code ?? `intent_${status}`,
    message: error?.message ?? `Stripe could not charge the payment method: ${status.replaceAll('_', ' ')}`,
  }
  if (status === 'canceled' || status === 'requires_payment_method') return failed
  const canceled = await callStripe(outbound, adapter, {
    method: 'POST',
    path: `payment_intents/${encodeURIComponent(reference)}/cancel`,
  })
  if (canceled.kind === 'response') return failed
  return {
    kind: 'unknown',
    reference,
    message: `The payment waits at Stripe: ${status.replaceAll('_', ' ')}`,
  }
}
