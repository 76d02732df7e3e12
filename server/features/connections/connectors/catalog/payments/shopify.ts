import { z } from 'zod'
import { WEBHOOK_SCHEMES } from '../../../../../signatures/signature-schemes.ts'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { displayTextAt, eventTypes, itemsAt, normalizedEvent, summary } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { from, type RequestTemplate, type TemplateValue, valueAt } from '../../definition/template.ts'

/** After `shopify.`, Shopify's topic with `.` for `/`. */
const EVENTS = {
  'shopify.orders.create': 'An order was placed',
  'shopify.orders.paid': 'An order was paid',
  'shopify.orders.cancelled': 'An order was cancelled',
  'shopify.orders.fulfilled': 'An order was fulfilled',
  'shopify.refunds.create': 'An order was refunded',
  'shopify.customers.create': 'A customer was created',
  'shopify.products.create': 'A product was created',
  'shopify.products.update': 'A product changed',
} as const

/** Shopify refuses a topic's second subscription to the same URL. */
const subscriptionMutation = (topics: readonly string[]) =>
  `mutation ($url: String!) { ${topics
    .map(
      (topic, index) =>
        `s${index}: webhookSubscriptionCreate(topic: ${topic.replace('.', '_').toUpperCase()}, webhookSubscription: { uri: $url, format: JSON }) { webhookSubscription { id } userErrors { message } }`,
    )
    .join(' ')} }`

const subscriptionIds = (answer: unknown): string[] =>
  Object.values((valueAt(answer, 'data') ?? {}) as Record<string, unknown>).flatMap(
    (each) => displayTextAt(each, 'webhookSubscription.id') ?? [],
  )

export const shopifyReceiver: ReceiverDefinition = {
  kind: 'payments',
  proof: { by: 'signature', schemes: WEBHOOK_SCHEMES.shopify, secret: { from: 'client' } },
  events: EVENTS,
  sessionKey: 'shopify:{thread}',
  normalize: ({ headers, body }) => {
    const topic = headers['x-shopify-topic']?.replace('/', '.')
    const eventKey = `shopify.${topic}`
    const id = displayTextAt(body, 'id')
    if (id === null || !Object.hasOwn(EVENTS, eventKey)) return []
    const [type] = topic!.split('.') as [string]
    const customer = type === 'customers' ? id : displayTextAt(body, 'customer.id')
    const order = type === 'orders' ? id : displayTextAt(body, 'order_id')
    const names = [displayTextAt(body, 'customer.first_name'), displayTextAt(body, 'customer.last_name')]
    return [
      normalizedEvent({
        eventKey,
        // Shopify doesn't sign the event id header. A repeated delivery has the same body.
        externalId: `${topic}:${id}:${displayTextAt(body, 'updated_at') ?? displayTextAt(body, 'created_at') ?? headers['x-shopify-event-id']}`,
        actor: { id: customer, name: names.filter(Boolean).join(' ') || null, isBot: false },
        text: summary(EVENTS[eventKey as keyof typeof EVENTS], {
          id: displayTextAt(body, 'admin_graphql_api_id') ?? id,
          name: displayTextAt(body, 'name') ?? displayTextAt(body, 'title'),
          email: displayTextAt(body, 'email'),
          total: displayTextAt(body, 'total_price'),
          currency: displayTextAt(body, 'currency'),
          'payment status': displayTextAt(body, 'financial_status'),
          'cancel reason': displayTextAt(body, 'cancel_reason'),
          note: displayTextAt(body, 'note'),
        }),
        thread: order !== null ? `order:${order}` : `${type}:${id}`,
        resource: { type, id, url: displayTextAt(body, 'order_status_url') },
      }),
    ]
  },
  setup: {
    by: 'api',
    // Shopify refuses a second subscription, and removing one needs its id.
    find: ({ url }) => ({
      request: {
        method: 'POST',
        path: '/graphql.json',
        graphql: {
          query: 'query ($url: String) { webhookSubscriptions(first: 50, uri: $url) { nodes { id } } }',
          variables: { url },
        },
      },
      keep: (answer) => {
        const ids = itemsAt(answer, 'data.webhookSubscriptions.nodes').flatMap(
          (node) => displayTextAt(node, 'id') ?? [],
        )
        return ids.length > 0 ? { subscriptionIds: ids.join(',') } : null
      },
    }),
    register: ({ url, events }) => ({
      request: {
        method: 'POST',
        path: '/graphql.json',
        graphql: { query: subscriptionMutation(eventTypes('shopify', events, EVENTS)), variables: { url } },
      },
      keep: (answer): Record<string, string> => {
        const ids = subscriptionIds(answer)
        return ids.length > 0 ? { subscriptionIds: ids.join(',') } : {}
      },
    }),
    unregister: ({ subscriptionIds: kept }) => {
      const ids = (kept ?? '')
        .split(',')
        .filter((id) => /^gid:\/\/shopify\/WebhookSubscription\/\d+$/.test(id))
      const deletions = ids.map(
        (id, index) => `s${index}: webhookSubscriptionDelete(id: "${id}") { deletedWebhookSubscriptionId }`,
      )
      return {
        method: 'POST',
        path: '/graphql.json',
        graphql: { query: deletions.length > 0 ? `mutation { ${deletions.join(' ')} }` : '{ shop { id } }' },
      }
    },
  },
}

const limit = z.int().min(1).max(50).default(10)

const gid = (type: string) =>
  z
    .string()
    .regex(new RegExp(`^gid://shopify/${type}/\\d+$`), `must be an id such as gid://shopify/${type}/123`)

const graphql = (query: string, variables: Record<string, TemplateValue>): RequestTemplate => ({
  method: 'POST',
  path: '/graphql.json',
  graphql: { query, variables },
})

const money = 'shopMoney { amount currencyCode }'

export const shopify: ConnectorDefinition = {
  slug: 'shopify',
  name: 'Shopify',
  description: 'Search orders, products and customers, and refund orders.',
  category: 'payments',
  docsUrl: 'https://shopify.dev/docs/api/admin-graphql',
  checkedAt: '2026-11-16',
  config: [
    {
      key: 'shop',
      label: 'Shop',
      required: true,
      hint: 'The part of your shop’s URL before .myshopify.com.',
      pattern: '[a-z0-9][a-z0-9-]{0,99}',
      placeholder: 'acme',
    },
  ],
  auth: {
    type: 'oauth',
    authorizeUrl: 'https://{config.shop}.myshopify.com/admin/oauth/authorize',
    tokenUrl: 'https://{config.shop}.myshopify.com/admin/oauth/access_token',
    registerUrl: 'https://dev.shopify.com/dashboard',
    scopes: { default: ['read_orders', 'write_orders', 'read_products', 'read_customers'] },
    scopeSeparator: ',',
    pkce: 'no',
    // Without it, the token never expires.
    params: { token: { expiring: '1' } },
    lifetime: { access: null, refresh: 'rotates', idleDays: 90 },
    send: { header: 'x-shopify-access-token', value: '{accessToken}' },
    callbackProof: 'shopify',
  },
  baseUrl: 'https://{config.shop}.myshopify.com/admin/api/2026-10',
  check: {
    request: graphql('query { shop { id name email myshopifyDomain } }', {}),
    account: { id: 'data.shop.id', name: 'data.shop.name', email: 'data.shop.email' },
  },
  errors: [
    { path: 'errors.0.extensions.code', equals: 'THROTTLED', means: 'slow_down' },
    { path: 'errors.0.extensions.code', equals: 'ACCESS_DENIED', means: 'forbidden' },
    { status: 200, path: 'errors', means: 'invalid' },
    { path: 'data.refundCreate.userErrors.0', means: 'invalid' },
  ],
  errorFields: {
    code: 'errors.0.extensions.code',
    message: ['errors.0.message', 'data.refundCreate.userErrors.0.message', 'errors'],
  },
  tools: [
    tool({
      name: 'search_orders',
      description:
        'Use this to find orders by number, email address, status or date. Newest first, without order items.',
      input: z.object({
        query: z
          .string()
          .max(500)
          .default('')
          .describe(
            'Shopify search syntax, such as: name:#1001, email:a@example.com, financial_status:paid, created_at:>=2026-11-01',
          ),
        limit,
      }),
      effect: 'read',
      risk: 'none',
      request: graphql(
        `query ($query: String, $limit: Int!) { orders(query: $query, first: $limit, sortKey: CREATED_AT, reverse: true) { nodes {
          id name createdAt displayFinancialStatus displayFulfillmentStatus email cancelledAt
          totalPriceSet { ${money} } customer { id displayName } } } }`,
        { query: from('query'), limit: from('limit') },
      ),
      answer: { at: 'data.orders.nodes' },
    }),
    tool({
      name: 'get_order',
      description:
        'Use this to read an order with its items, address and payments. The payments are needed for a refund.',
      input: z.object({ id: gid('Order') }),
      effect: 'read',
      risk: 'none',
      request: graphql(
        `query ($id: ID!) { order(id: $id) { id name createdAt note email phone displayFinancialStatus displayFulfillmentStatus
          totalPriceSet { ${money} } totalRefundedSet { ${money} } customer { id displayName }
          shippingAddress { name address1 address2 city zip countryCodeV2 }
          lineItems(first: 50) { nodes { id title sku quantity refundableQuantity originalUnitPriceSet { ${money} } } }
          transactions(first: 20) { id kind status gateway amountSet { ${money} } }
          fulfillments(first: 10) { status trackingInfo { company number url } } } }`,
        { id: from('id') },
      ),
      answer: { at: 'data.order' },
    }),
    tool({
      name: 'search_products',
      description: 'Use this to find products with their prices and stock.',
      input: z.object({
        query: z
          .string()
          .max(500)
          .default('')
          .describe('Words, or search syntax such as: sku:AB-1, tag:sale'),
        limit,
      }),
      effect: 'read',
      risk: 'none',
      request: graphql(
        `query ($query: String, $limit: Int!) { products(query: $query, first: $limit) { nodes {
          id title handle status productType vendor totalInventory onlineStoreUrl
          variants(first: 20) { nodes { id title sku price inventoryQuantity } } } } }`,
        { query: from('query'), limit: from('limit') },
      ),
      answer: { at: 'data.products.nodes' },
    }),
    tool({
      name: 'search_customers',
      description: 'Use this to find customers by name, email address or phone number.',
      input: z.object({ query: z.string().min(1).max(500), limit }),
      effect: 'read',
      risk: 'none',
      request: graphql(
        `query ($query: String, $limit: Int!) { customers(query: $query, first: $limit) { nodes {
          id displayName defaultEmailAddress { emailAddress } defaultPhoneNumber { phoneNumber }
          numberOfOrders amountSpent { amount currencyCode } createdAt } } }`,
        { query: from('query'), limit: from('limit') },
      ),
      answer: { at: 'data.customers.nodes' },
    }),
    tool({
      name: 'refund',
      description:
        'Use this to refund an amount from an order to the original payment. Items are not restocked, and a refund can’t be undone.',
      input: z.object({
        orderId: gid('Order'),
        transactionId: gid('OrderTransaction').describe('A SALE or CAPTURE transaction from get_order'),
        gateway: z.string().min(1).max(100).describe('That transaction’s gateway'),
        amount: z.string().regex(/^\d{1,9}(\.\d{1,3})?$/, 'must be an amount such as 12.50'),
        note: z.string().max(500).optional(),
        notify: z.boolean().default(false).describe('Whether the customer receives an email'),
      }),
      effect: 'once',
      risk: 'spend',
      request: ({ orderId, transactionId, gateway, amount, note, notify }) => ({
        ...graphql(
          `mutation ($input: RefundInput!, $key: String!) { refundCreate(input: $input) @idempotent(key: $key) {
            refund { id createdAt totalRefundedSet { ${money} } } userErrors { field message } } }`,
          {
            input: {
              orderId,
              notify,
              ...(note !== undefined && { note }),
              transactions: [{ orderId, parentId: transactionId, gateway, kind: 'REFUND', amount }],
            },
          },
        ),
        idempotencyVariable: 'key',
      }),
      answer: { at: 'data.refundCreate.refund' },
    }),
  ],
  receiver: shopifyReceiver,
}
