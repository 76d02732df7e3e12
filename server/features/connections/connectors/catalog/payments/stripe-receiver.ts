import { WEBHOOK_SCHEMES } from '../../../../../signatures/signature-schemes.ts'
import { normalizedEvent } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { displayTextAt, eventTypes, summary } from '../summary.ts'

const EVENTS = {
  'stripe.payment_intent.succeeded': 'A payment succeeded',
  'stripe.payment_intent.payment_failed': 'A payment failed',
  'stripe.checkout.session.completed': 'A checkout was completed',
  'stripe.invoice.paid': 'An invoice was paid',
  'stripe.invoice.payment_failed': 'The payment of an invoice failed',
  'stripe.customer.created': 'A customer was created',
  'stripe.customer.subscription.created': 'A subscription started',
  'stripe.customer.subscription.updated': 'A subscription changed',
  'stripe.customer.subscription.deleted': 'A subscription ended',
  'stripe.charge.refunded': 'A payment was refunded',
  'stripe.charge.dispute.created': 'A customer disputed a payment',
} as const

/** `enabled_events[]` repeats once per event. */
const endpointForm = (url: string, events: readonly string[]) => ({
  url,
  'enabled_events[]': eventTypes('stripe', events, EVENTS),
})

export const stripeReceiver: ReceiverDefinition = {
  kind: 'payments',
  proof: { by: 'signature', schemes: WEBHOOK_SCHEMES.stripe, secret: { from: 'registration' } },
  events: EVENTS,
  sessionKey: 'stripe:{thread}',
  normalize: ({ body }) => {
    const [id, type] = [displayTextAt(body, 'id'), displayTextAt(body, 'type')]
    const object = (path: string) => displayTextAt(body, `data.object.${path}`)
    const eventKey = `stripe.${type}`
    if (id === null || !Object.hasOwn(EVENTS, eventKey)) return []
    const objectType = object('object') ?? 'object'
    const objectId = object('id') ?? id
    const customer = objectType === 'customer' ? objectId : object('customer')
    return [
      normalizedEvent({
        eventKey,
        externalId: id,
        actor: {
          id: customer,
          name: object('customer_name') ?? object('customer_details.name') ?? object('name'),
          isBot: false,
        },
        text: summary(EVENTS[eventKey as keyof typeof EVENTS], {
          [objectType]: objectId,
          status: object('status'),
          customer,
          email: object('customer_email') ?? object('customer_details.email') ?? object('email'),
          'amount in the smallest unit':
            object('amount_refunded') ?? object('amount') ?? object('amount_total') ?? object('total'),
          currency: object('currency'),
          description: object('description'),
          error: object('last_payment_error.message'),
          reason: object('reason'),
          'test mode': displayTextAt(body, 'livemode') === 'false' ? 'yes' : null,
        }),
        thread: customer ?? objectId,
        resource: { type: objectType, id: objectId, url: object('hosted_invoice_url') },
      }),
    ]
  },
  setup: {
    by: 'api',
    register: ({ url, events }) => ({
      request: {
        method: 'POST',
        path: '/v1/webhook_endpoints',
        form: { ...endpointForm(url, events), description: 'Atrium' },
        // Stripe answers a repeated request with the same endpoint and its secret.
        idempotencyHeader: 'idempotency-key',
      },
      keep: (answer) => ({ webhookId: displayTextAt(answer, 'id') ?? '' }),
      secret: (answer) => displayTextAt(answer, 'secret') ?? undefined,
    }),
    update: ({ webhookId }, { url, events }) => ({
      method: 'POST',
      path: `/v1/webhook_endpoints/${encodeURIComponent(webhookId ?? '')}`,
      form: endpointForm(url, events),
    }),
    unregister: ({ webhookId }) => ({
      method: 'DELETE',
      path: `/v1/webhook_endpoints/${encodeURIComponent(webhookId ?? '')}`,
    }),
  },
}
