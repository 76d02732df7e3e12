import { z } from 'zod'
import type { Outbound } from '../../../../outbound/outbound.ts'
import type { Answer, PaymentRow } from '../records.ts'
import { type Adapter, callStripe, type StripeError } from './request.ts'

/** Off-session: nobody is present to confirm. */
export async function chargeStripe(
  outbound: Outbound,
  adapter: Adapter,
  payment: PaymentRow,
): Promise<Answer> {
  const outcome = await callStripe(outbound, adapter, {
    method: 'POST',
    path: 'payment_intents',
    idempotencyKey: payment.id,
    fields: fieldsOf(adapter, payment),
  })
  if (outcome.kind === 'lost') return { kind: 'unknown', reference: null, message: outcome.message }
  if (outcome.kind === 'error') return refusalOf(outcome.error)
  const intent = Intent.safeParse(outcome.body)
  if (!intent.success)
    return { kind: 'unknown', reference: null, message: 'Stripe’s response isn’t a payment intent' }
  return settleIntent(outbound, adapter, intent.data)
}

const fieldsOf = ({ customerId, paymentMethodId }: Adapter, payment: PaymentRow): Record<string, string> => ({
  amount: toStripeAmount(payment.amount, payment.currency)!,
  currency: payment.currency,
  customer: customerId,
  payment_method: paymentMethodId,
  off_session: 'true',
  confirm: 'true',
  'automatic_payment_methods[enabled]': 'true',
  'automatic_payment_methods[allow_redirects]': 'never',
  description: payment.reason,
  [`metadata[${METADATA_KEY}]`]: payment.id,
  ...(payment.payee?.account && { 'transfer_data[destination]': payment.payee.account }),
  'expand[0]': 'latest_charge',
})

/** A refused request was not carried out. After a conflict with the same key, it may have been. */
function refusalOf({ status, type, code, message, intentId }: StripeError): Answer {
  const isCertain = [400, 401, 402, 403, 404].includes(status) || (status === 429 && code === 'rate_limit')
  if (!isCertain || type === 'idempotency_error') return { kind: 'unknown', reference: intentId, message }
  return { kind: 'failed', reference: intentId, code, message }
}

/** Currencies without a smaller unit at Stripe. */
const ZERO_DECIMAL = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
/** Stripe only accepts multiples of ten thousandths. */
const THREE_DECIMAL = new Set('bhd jod kwd omr tnd'.split(' '))
/** Only whole units can be paid. */
const WHOLE_HUNDREDTHS = new Set(['isk', 'ugx'])

/** Returns null with too many decimals. A wrong unit would charge a hundred times as much. */
export function toStripeAmount(amount: string, currency: string): string | null {
  const decimals = ZERO_DECIMAL.has(currency) ? 0 : THREE_DECIMAL.has(currency) ? 3 : 2
  const [whole, fraction = ''] = amount.split('.')
  const significant = fraction.replace(/0+$/, '')
  const payable = WHOLE_HUNDREDTHS.has(currency) ? 0 : Math.min(decimals, 2)
  if (significant.length > payable) return null
  return `${whole}${significant.padEnd(decimals, '0')}`.replace(/^0+(?=\d)/, '')
}

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

/** Cancels an intent that waits for bank confirmation, so that it can't be paid after we report failure. */
export async function settleIntent(outbound: Outbound, adapter: Adapter, intent: Intent): Promise<Answer> {
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
    message: `The payment is waiting at Stripe: ${status.replaceAll('_', ' ')}`,
  }
}
