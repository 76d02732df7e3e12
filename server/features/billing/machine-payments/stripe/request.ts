import { z } from 'zod'
import type { Outbound } from '../../../../outbound/outbound.ts'
import { REQUEST_MS } from '../timing.ts'

/** Pins response shapes. */
export const STRIPE_VERSION = '2026-10-28.endive'

const BYTES_MAX = 1_048_576
const MESSAGE_MAX = 300

export interface Adapter {
  url: string
  apiKey: string
  customerId: string
  paymentMethodId: string
}

interface StripeRequest {
  method: 'GET' | 'POST'
  path: string
  fields?: Record<string, string>
  idempotencyKey?: string
}

export interface StripeError {
  status: number
  type: string
  code: string
  message: string
  intentId: string | null
}

/** `lost`: may or may not have been carried out. */
type StripeOutcome =
  | { kind: 'response'; body: unknown }
  | { kind: 'error'; error: StripeError }
  | { kind: 'lost'; message: string }

const ErrorBody = z.object({
  error: z.object({
    type: z.string().optional(),
    code: z.string().optional(),
    decline_code: z.string().optional(),
    message: z.string().optional(),
    payment_intent: z.object({ id: z.string() }).optional(),
  }),
})

export async function callStripe(
  outbound: Outbound,
  { url, apiKey }: Pick<Adapter, 'url' | 'apiKey'>,
  { method, path, fields = {}, idempotencyKey }: StripeRequest,
): Promise<StripeOutcome> {
  const form = new URLSearchParams(fields).toString()
  const isQuery = method === 'GET' && form !== ''
  const outcome = await outbound.request({
    method,
    url: `${url}/v1/${path}${isQuery ? `?${form}` : ''}`,
    headers: {
      authorization: `Bearer ${apiKey}`,
      'stripe-version': STRIPE_VERSION,
      ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    ...(method === 'POST' && { body: form }),
    timeoutMs: REQUEST_MS,
    bytesMax: BYTES_MAX,
  })
  if (outcome.kind === 'failure') return { kind: 'lost', message: clean(outcome.error) }
  const { status, body, truncated } = outcome.response
  const parsed = truncated ? undefined : parseJson(body.toString('utf8'))
  if (status === 200 && parsed !== undefined) return { kind: 'response', body: parsed }
  const failed = ErrorBody.safeParse(parsed)
  // A server error or proxy page doesn't tell whether Stripe acted.
  if (!failed.success || status >= 500 || status < 400)
    return { kind: 'lost', message: `Stripe responded with status ${status}` }
  const { type = 'api_error', code, decline_code, message = '', payment_intent } = failed.data.error
  return {
    kind: 'error',
    error: {
      ...{ status, type, code: clean(decline_code ?? code ?? type), message: clean(message) },
      intentId: payment_intent?.id ?? null,
    },
  }
}

/** Untrusted text: short and storable. */
const clean = (text: string) => text.toWellFormed().replaceAll('\0', '').slice(0, MESSAGE_MAX)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const PaymentMethod = z.object({ customer: z.union([z.string(), z.object({ id: z.string() })]).nullable() })

/** As far as Stripe can tell without a payment. Null if fine. */
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
    : { field: 'customerId', message: 'is not the customer the payment method is attached to' }
}
