import { z } from 'zod'
import type { Outbound } from '../../../../outbound/outbound.ts'
import type { Adapter } from '../provider/adapter.ts'
import { callStripe } from './request.ts'

const PaymentMethod = z.object({ customer: z.union([z.string(), z.object({ id: z.string() })]).nullable() })

/** Why the account cannot pay, as far as Stripe reports it without a payment; null if there is no such reason. */
export async function checkPaymentMethod(
  outbound: Outbound,
  adapter: Adapter,
): Promise<{ field: 'apiKey' | 'paymentMethodId' | 'customerId'; message: string } | null> {
  const outcome = await callStripe(outbound, adapter, {
    method: 'GET',
    path: `payment_methods/${encodeURIComponent(adapter.paymentMethodId)}`,
  })
  if (outcome.kind === 'lost')
    return { field: 'apiKey', message: `could not be checked: ${outcome.message}. Try again` }
  if (outcome.kind === 'error') {
    const { status, message } = outcome.error
    if (status === 404) return { field: 'paymentMethodId', message: 'does not exist at Stripe for this key' }
    return { field: 'apiKey', message: `was refused by Stripe: ${message}` }
  }
  const method = PaymentMethod.safeParse(outcome.body)
  const customer = method.success ? method.data.customer : null
  const attachedTo = typeof customer === 'object' ? customer?.id : customer
  return attachedTo === adapter.customerId
    ? null
    : { field: 'customerId', message: 'is not the customer to whom the payment method is attached' }
}
