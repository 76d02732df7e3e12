import { expect, test } from 'vitest'
import { shopify } from '../../../server/features/connections/connectors/catalog/payments/shopify.ts'
import { stripe } from '../../../server/features/connections/connectors/catalog/payments/stripe.ts'
import {
  expectSameRequests,
  failure,
  type ToolCase,
  toComparable,
} from '../../../server/features/connections/connectors/catalog/testing/compare-tools.ts'
import { registeredEndpoint } from '../../../server/features/connections/connectors/catalog/testing/received.ts'
import { recordedRequests } from '../../../server/features/connections/connectors/catalog/testing/recorded.ts'
import { recordRequests } from '../../../server/features/connections/connectors/catalog/testing/recording-server.ts'
import {
  captureRequest,
  createTarget,
  sentRequest,
} from '../../../server/features/connections/connectors/catalog/testing/tool-request.ts'

const stripeClient = async (url: string) => {
  const { Stripe } = await import('stripe')
  const { hostname, port } = new URL(url)
  return new Stripe('rk_test_1', { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 })
}

const STRIPE: ToolCase[] = [
  [
    'find_customer',
    { email: 'a"b@example.com' },
    async (url) =>
      (await stripeClient(url)).customers.search({ query: 'email:"a\\"b@example.com"', limit: 20 }),
  ],
  [
    'find_customer',
    { name: 'Ada L', limit: 5 },
    async (url) => (await stripeClient(url)).customers.search({ query: 'name~"Ada L"', limit: 5 }),
  ],
  [
    'list_invoices',
    { customer: 'cus_1', status: 'open' },
    async (url) => (await stripeClient(url)).invoices.list({ customer: 'cus_1', status: 'open', limit: 20 }),
  ],
  [
    'list_payments',
    { customer: 'cus_1', limit: 3 },
    async (url) => (await stripeClient(url)).paymentIntents.list({ customer: 'cus_1', limit: 3 }),
  ],
  [
    'create_payment_link',
    { price: 'price_1', quantity: 2 },
    async (url) =>
      (await stripeClient(url)).paymentLinks.create({ line_items: [{ price: 'price_1', quantity: 2 }] }),
  ],
  [
    'refund',
    { payment: 'pi_1', amount: 500, reason: 'duplicate' },
    async (url) =>
      (await stripeClient(url)).refunds.create({ payment_intent: 'pi_1', amount: 500, reason: 'duplicate' }),
  ],
  // The SDK numbers the items of a list; Stripe accepts both forms.
  [
    'list_prices',
    {},
    {
      method: 'GET',
      path: '/v1/prices',
      query: { active: 'true', 'expand[]': 'data.product', limit: '20' },
      body: null,
    },
  ],
]

test("stripe sends its SDK's requests with the SDK's API version and an idempotency key", async () => {
  const target = createTarget(stripe)
  await expectSameRequests(target, STRIPE)
  const [theirs] = await recordRequests(async (url) => (await stripeClient(url)).balance.retrieve())
  const check = await sentRequest(target, stripe.check.request)
  expect(toComparable(check)).toEqual(toComparable(theirs!))
  expect(check.headers['stripe-version']).toBe(theirs!.headers['stripe-version'])
  const refund = await captureRequest(target, 'refund', { payment: 'pi_1' })
  expect(refund.headers).toMatchObject({
    authorization: 'Bearer token',
    'idempotency-key': 'key-of-the-call',
  })
  expect(failure(stripe, 402, { error: { code: 'card_declined', message: 'Declined' } })).toMatchObject({
    code: 'card_declined',
    message: 'Declined',
  })
  const refused = [{}, { email: 'a@example.com', name: 'Ada' }]
  for (const input of refused) expect(stripe.tools[0]!.input.safeParse(input).success).toBe(false)
})

test('stripe registers, changes and removes an endpoint as its SDK does', async () => {
  const { setup } = stripe.receiver!
  if (setup.by !== 'api') throw new Error('stripe has an API')
  const endpoint = registeredEndpoint({ events: ['stripe.invoice.paid', 'stripe.charge.refunded'] })
  const { request, keep, secret } = setup.register(endpoint)
  const ours = await sentRequest(createTarget(stripe), request)
  const enabled_events = ['invoice.paid', 'charge.refunded'] as const
  const [theirs] = await recordRequests(async (url) =>
    (await stripeClient(url)).webhookEndpoints.create({
      url: endpoint.url,
      enabled_events: [...enabled_events],
      description: 'Atrium',
    }),
  )
  const body = theirs!.body as Record<string, string>
  expect(ours.path).toBe(theirs!.path)
  expect(ours.body).toEqual({
    url: body.url,
    description: body.description,
    'enabled_events[]': [body['enabled_events[0]'], body['enabled_events[1]']],
  })
  const answer = { id: 'we_1', secret: 'whsec_1' }
  expect([keep!(answer), secret!(answer)]).toEqual([{ webhookId: 'we_1' }, 'whsec_1'])
  const [removed] = await recordRequests(async (url) =>
    (await stripeClient(url)).webhookEndpoints.del('we_1'),
  )
  expect(
    toComparable(await sentRequest(createTarget(stripe), setup.unregister({ webhookId: 'we_1' }, {}))),
  ).toEqual(toComparable(removed!))
})

test("shopify sends GraphQL documents to its SDK's version, with variables for every input", async () => {
  const target = createTarget(shopify, { config: { shop: 'acme' } })
  const theirs = recordedRequests('shopify').check!
  const check = await sentRequest(target, shopify.check.request)
  expect(toComparable(check)).toEqual(theirs)
  expect(check.headers['x-shopify-access-token']).toBe('token')
  const order = 'gid://shopify/Order/1'
  const cases: [string, Record<string, unknown>, unknown][] = [
    ['search_orders', { query: 'name:"#1}" {x}' }, { query: 'name:"#1}" {x}', limit: 10 }],
    ['get_order', { id: order }, { id: order }],
    ['search_products', { limit: 3 }, { query: '', limit: 3 }],
    ['search_customers', { query: 'ada' }, { query: 'ada', limit: 10 }],
    [
      'refund',
      { orderId: order, transactionId: 'gid://shopify/OrderTransaction/2', gateway: 'card', amount: '12.50' },
      {
        input: {
          orderId: order,
          notify: false,
          transactions: [
            {
              orderId: order,
              parentId: 'gid://shopify/OrderTransaction/2',
              gateway: 'card',
              kind: 'REFUND',
              amount: '12.50',
            },
          ],
        },
        key: 'key-of-the-call',
      },
    ],
  ]
  for (const [tool, input, variables] of cases) {
    const { method, path, body } = await captureRequest(target, tool, input)
    expect([method, path], tool).toEqual([theirs.method, theirs.path])
    expect((body as { variables: unknown }).variables, tool).toEqual(variables)
  }
  expect(cases.map(([tool]) => tool)).toEqual(shopify.tools.map(({ name }) => name))
})

test('shopify recognizes errors that come with status 200', () => {
  const refused = { data: { refundCreate: { userErrors: [{ message: 'Too much' }] } } }
  expect(failure(shopify, 200, refused)).toMatchObject({ means: 'invalid', message: 'Too much' })
  const throttled = { errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }] }
  expect(failure(shopify, 200, throttled)).toMatchObject({ means: 'slow_down', message: 'Throttled' })
  expect(failure(shopify, 401, { errors: '[API] Invalid API key' })).toMatchObject({
    means: 'expired',
    message: '[API] Invalid API key',
  })
  expect(failure(shopify, 200, { data: { refundCreate: { userErrors: [], refund: {} } } })).toBeNull()
})
