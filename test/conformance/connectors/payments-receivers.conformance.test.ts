import { expect, test } from 'vitest'
import { shopifyReceiver } from '../../../server/features/connections/connectors/catalog/payments/shopify.ts'
import { stripeReceiver } from '../../../server/features/connections/connectors/catalog/payments/stripe.ts'
import {
  isAccepted,
  receivedEvent,
  registeredEndpoint,
} from '../../../server/features/connections/connectors/catalog/testing/received.ts'
import { hmac } from '../../../server/security/hmac.ts'

const NOW = new Date('2026-11-16T12:00:00Z')
const SECRET = 'whsec_1'

const STRIPE_EVENT = {
  id: 'evt_1',
  object: 'event',
  type: 'payment_intent.payment_failed',
  livemode: false,
  data: {
    object: {
      id: 'pi_1',
      object: 'payment_intent',
      amount: 2000,
      currency: 'eur',
      status: 'requires_payment_method',
      customer: 'cus_1',
      last_payment_error: { message: 'Your card was declined.' },
    },
  },
}

test("stripe accepts its SDK's signatures and normalizes a payment to its customer's session", async () => {
  const { Stripe } = await import('stripe')
  const body = JSON.stringify(STRIPE_EVENT)
  const timestamp = NOW.getTime() / 1000
  const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: SECRET, timestamp })
  const request = { headers: { 'stripe-signature': header }, body }
  expect(isAccepted(stripeReceiver, request, SECRET, NOW)).toBe(true)
  expect(isAccepted(stripeReceiver, { ...request, body: `${body} ` }, SECRET, NOW)).toBe(false)
  expect(isAccepted(stripeReceiver, request, 'whsec_2', NOW)).toBe(false)
  const [event] = stripeReceiver.normalize(receivedEvent(STRIPE_EVENT))
  expect(event).toMatchObject({
    eventKey: 'stripe.payment_intent.payment_failed',
    externalId: 'evt_1',
    thread: 'cus_1',
    resource: { type: 'payment_intent', id: 'pi_1' },
    actor: { id: 'cus_1' },
  })
  expect(event!.text).toBe(
    [
      'A payment failed',
      'payment_intent: pi_1',
      'status: requires_payment_method',
      'customer: cus_1',
      'amount in the smallest unit: 2000',
      'currency: eur',
      'error: Your card was declined.',
      'test mode: yes',
    ].join('\n'),
  )
})

const ORDER = {
  id: 820982911946,
  admin_graphql_api_id: 'gid://shopify/Order/1',
  name: '#9999',
  email: 'jon@example.com',
  total_price: '388.00',
  currency: 'USD',
  financial_status: 'voided',
  updated_at: '2026-11-16T08:05:53-05:00',
  customer: { id: 115310627314, first_name: 'John', last_name: 'Smith' },
}
const shopifyEvent = (topic: string, body: unknown) =>
  shopifyReceiver.normalize(
    receivedEvent(body, { headers: { 'x-shopify-topic': topic, 'x-shopify-event-id': 'e1' } }),
  )

test("shopify accepts a known signature and derives an order's event id from signed fields", () => {
  const body = '{"id":1,"text":"héllo"}'
  const headers = { 'x-shopify-hmac-sha256': 'XUf97QBNYiFlEhZ8TzYn9hZrd0Z5sC/3KvwH5q3AXQg=' }
  expect(isAccepted(shopifyReceiver, { headers, body }, 'hush', NOW)).toBe(true)
  const hex = hmac('sha256', Buffer.from('hush'), [body]).toString('hex')
  expect(isAccepted(shopifyReceiver, { headers: { 'x-shopify-hmac-sha256': hex }, body }, 'hush', NOW)).toBe(
    false,
  )
  const [event] = shopifyEvent('orders/create', ORDER)
  expect(event).toMatchObject({
    eventKey: 'shopify.orders.create',
    externalId: `orders.create:${ORDER.id}:${ORDER.updated_at}`,
    thread: `order:${ORDER.id}`,
    actor: { name: 'John Smith' },
  })
  const [refund] = shopifyEvent('refunds/create', { id: 5, order_id: ORDER.id, created_at: 'x' })
  expect(refund!.thread).toBe(event!.thread)
})

test('shopify subscribes to all chosen topics in one request, and removes them in one', () => {
  const { setup } = shopifyReceiver
  if (setup.by !== 'api') throw new Error('shopify has an API')
  const { request, keep } = setup.register(
    registeredEndpoint({ events: ['shopify.orders.create', 'shopify.orders.paid'] }),
  )
  expect(request.graphql!.query).toContain('topic: ORDERS_CREATE')
  expect(request.graphql!.query).toContain('topic: ORDERS_PAID')
  expect(request.graphql!.variables).toEqual({ url: registeredEndpoint().url })
  const id = (number: number) => `gid://shopify/WebhookSubscription/${number}`
  const created = (number: number) => ({ webhookSubscription: { id: id(number) }, userErrors: [] })
  const taken = { webhookSubscription: null, userErrors: [{ message: 'Address has already been taken' }] }
  const kept = keep!({ data: { s0: created(1), s1: created(2), s2: taken } })
  expect(kept).toEqual({ subscriptionIds: `${id(1)},${id(2)}` })
  const removed = setup.unregister(kept, {}).graphql!.query
  expect([removed.includes(`"${id(1)}"`), removed.includes(`"${id(2)}"`)]).toEqual([true, true])
  expect(setup.unregister({ subscriptionIds: '"){evil}' }, {}).graphql!.query).not.toContain('evil')
})

test('payment receivers ignore unknown events and malformed bodies', () => {
  const bodies = [null, 'text', [], {}, { id: 'evt_1', type: 'toString' }, { id: 1, type: 'x', data: null }]
  for (const body of bodies) {
    expect(stripeReceiver.normalize(receivedEvent(body))).toEqual([])
    expect(shopifyEvent('constructor', body)).toEqual([])
    expect(shopifyReceiver.normalize(receivedEvent(body))).toEqual([])
  }
})
