import { z } from 'zod'
import { endpoint, member, steppedUp } from '../endpoint.ts'
import { Id, Timestamp } from '../fields.ts'

export const PAYMENT_PROVIDER_AREA = 'Managing the payment provider'

const path = '/api/v1/billing/payment-provider'

const stripeId = (prefix: string, noun: string) =>
  z
    .string()
    .trim()
    .regex(new RegExp(`^${prefix}_[A-Za-z0-9_]{1,200}$`), `must be a ${noun} id, ${prefix}_…`)
    .meta({ examples: [`${prefix}_1Pgc1k2eZvKYlo2C`] })

const PaymentProvider = z.object({
  kind: z.literal('stripe'),
  lastFour: z.string().describe('Last characters of the API key'),
  mode: z.enum(['live', 'test']).describe('`test`: the key moves no real money'),
  customerId: z.string(),
  paymentMethodId: z.string(),
  updatedBy: Id,
  updatedAt: Timestamp,
})

export const paymentProvider = {
  get: endpoint({
    method: 'GET',
    path,
    summary: 'Get the payment provider',
    description:
      'Does not include its API key. `provider` is null if none is configured: payments are then only recorded.',
    access: member({ role: 'admin' }),
    output: z.object({ provider: PaymentProvider.nullable() }),
  }),
  put: endpoint({
    method: 'PUT',
    path,
    summary: 'Set the payment provider',
    description:
      'Machine payments are charged to this Stripe customer’s saved payment method. The server asks Stripe for the payment method before it stores the key; the error contains Stripe’s message.',
    access: steppedUp(PAYMENT_PROVIDER_AREA, { role: 'admin' }),
    body: z.object({
      kind: z.literal('stripe', { error: 'must be stripe' }),
      apiKey: z
        .string()
        .trim()
        .regex(
          /^(sk|rk)_(live|test)_[A-Za-z0-9_]{8,500}$/,
          'must be a secret or restricted Stripe API key, such as rk_live_…',
        )
        .describe('Stored encrypted and never returned. Required with every change')
        .meta({ examples: ['rk_test_51Pgc1k2eZvKYlo2C'] }),
      customerId: stripeId('cus', 'customer'),
      paymentMethodId: stripeId('pm', 'payment method'),
    }),
    output: z.object({ provider: PaymentProvider }),
    limit: { name: 'payment-provider', by: 'caller', capacity: 10, perSeconds: 60 },
  }),
  remove: endpoint({
    method: 'DELETE',
    path,
    summary: 'Remove the payment provider',
    description:
      'Permanently deletes the API key. Payments whose result is unknown stay unknown until a provider is configured again. Returns NOT_FOUND if none is configured.',
    access: steppedUp(PAYMENT_PROVIDER_AREA, { role: 'admin' }),
    output: z.object({ deleted: z.literal(true) }),
  }),
}
