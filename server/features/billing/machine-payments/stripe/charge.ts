import type { Outbound } from '../../../../outbound/outbound.ts'
import type { Answer } from '../answer.ts'
import type { Adapter } from '../provider/adapter.ts'
import type { PaymentRow } from '../records.ts'
import { toStripeAmount } from './amount.ts'
import { answerOf, Intent, METADATA_KEY } from './intent.ts'
import { callStripe, type StripeError } from './request.ts'

/** Charges the saved payment method of the organization, without a person present. */
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
    return { kind: 'unknown', reference: null, message: 'The response of Stripe is not a payment intent' }
  return answerOf(outbound, adapter, intent.data)
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

/**
 * A request that Stripe refused was not carried out. After a conflict with another request of the same key, it may have
 * been.
 */
function refusalOf({ status, type, code, message, intentId }: StripeError): Answer {
  const isCertain = [400, 401, 402, 403, 404].includes(status) || (status === 429 && code === 'rate_limit')
  if (!isCertain || type === 'idempotency_error') return { kind: 'unknown', reference: intentId, message }
  return { kind: 'failed', reference: intentId, code, message }
}
