import { WEBHOOK_SCHEMES } from '../../../../../signatures/signature-schemes.ts'
import { itemsAt, normalizedEvent } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { valueAt } from '../../requests/template.ts'
import { displayTextAt, eventTypes, summary } from '../summary.ts'

/** The part after `shopify.` is a topic of Shopify with `.` for `/`. */
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

/** One mutation per topic, in one request. Shopify refuses a second subscription of a topic to the same URL. */
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
        // The event id is in a header, which Shopify does not sign; a repeated delivery has the same body.
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
    // Shopify refuses a second subscription to the same URL; the ids of existing ones are needed to remove them.
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
