import { z } from 'zod'
import type { Outbound } from '../../../../outbound/outbound.ts'
import type { Answer, PaymentRow } from '../records.ts'
import { Intent, METADATA_KEY, settleIntent } from './charge.ts'
import type { Adapter } from './request.ts'
import { callStripe } from './request.ts'

const PAGE = 100
const PAGES_MAX = 20
const CLOCK_SKEW_SECONDS = 3600

const Page = z.object({ data: z.array(Intent), has_more: z.boolean() })

type Inquiry = Answer | { kind: 'absent' }

/** Never sends a charge. Avoids Stripe's search, because its index lags by a minute. */
export async function inquireStripe(
  outbound: Outbound,
  adapter: Adapter,
  payment: PaymentRow,
  charge: { customer: string; startedAt: string },
): Promise<Inquiry> {
  if (payment.providerReference !== null) return inquireIntent(outbound, adapter, payment.providerReference)
  const since = Math.floor(Date.parse(charge.startedAt) / 1000) - CLOCK_SKEW_SECONDS
  let after: string | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const outcome = await callStripe(outbound, adapter, {
      method: 'GET',
      path: 'payment_intents',
      fields: {
        customer: charge.customer,
        'created[gte]': String(since),
        limit: String(PAGE),
        'expand[0]': 'data.latest_charge',
        ...(after && { starting_after: after }),
      },
    })
    if (outcome.kind !== 'response') return unknownBecause(outcome)
    const listed = Page.safeParse(outcome.body)
    if (!listed.success) return unknown('Stripe’s response isn’t a list of payment intents')
    const found = listed.data.data.find(({ metadata }) => metadata[METADATA_KEY] === payment.id)
    if (found) return settleIntent(outbound, adapter, found)
    if (!listed.data.has_more) return { kind: 'absent' }
    after = listed.data.data.at(-1)?.id
  }
  return unknown('The customer has too many payments at Stripe to find this one')
}

async function inquireIntent(outbound: Outbound, adapter: Adapter, id: string): Promise<Answer> {
  const outcome = await callStripe(outbound, adapter, {
    method: 'GET',
    path: `payment_intents/${encodeURIComponent(id)}`,
    fields: { 'expand[0]': 'latest_charge' },
  })
  if (outcome.kind !== 'response') return unknownBecause(outcome)
  const intent = Intent.safeParse(outcome.body)
  return intent.success
    ? settleIntent(outbound, adapter, intent.data)
    : unknown('Stripe’s response isn’t a payment intent')
}

const unknownBecause = (outcome: { message: string } | { error: { message: string } }): Answer =>
  unknown('error' in outcome ? outcome.error.message : outcome.message)

const unknown = (message: string): Answer => ({ kind: 'unknown', reference: null, message })
