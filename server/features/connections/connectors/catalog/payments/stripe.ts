import { z } from 'zod'
import { WEBHOOK_SCHEMES } from '../../../../../signatures/signature-schemes.ts'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { displayTextAt, eventTypes, normalizedEvent, summary } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { from } from '../../definition/template.ts'

const EVENTS = {
  'stripe.payment_intent.succeeded': 'A payment succeeded',
  'stripe.payment_intent.payment_failed': 'A payment failed',
  'stripe.checkout.session.completed': 'A checkout was completed',
  'stripe.invoice.paid': 'An invoice was paid',
  'stripe.invoice.payment_failed': 'An invoice payment failed',
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
        // A repeated request returns the same endpoint and secret.
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

const limit = z.int().min(1).max(100).default(20)

const customer = z
  .string()
  .regex(/^cus_\w+$/, 'must be a customer id, such as cus_123')
  .max(100)

/** Escapes for Stripe's search language. */
const quoted = (value: string) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

export const stripe: ConnectorDefinition = {
  slug: 'stripe',
  name: 'Stripe',
  description: 'Find customers, invoices and payments, and create payment links and refunds.',
  category: 'payments',
  docsUrl: 'https://docs.stripe.com/api',
  checkedAt: '2026-11-16',
  auth: {
    type: 'api_key',
    fields: [
      {
        key: 'apiKey',
        label: 'Restricted key',
        required: true,
        secret: true,
        hint: 'Stripe, under Developers, API keys: a restricted key with the permissions that agents need, and write access to webhook endpoints for events.',
        pattern: '(rk|sk)_(live|test)_[A-Za-z0-9_]{8,250}',
        placeholder: 'rk_live_…',
      },
    ],
    send: { header: 'authorization', value: 'Bearer {credentials.apiKey}' },
  },
  baseUrl: 'https://api.stripe.com',
  headers: { 'stripe-version': '2026-10-28.endive' },
  check: { request: { method: 'GET', path: '/v1/balance' }, account: {} },
  errorFields: { code: 'error.code', message: 'error.message' },
  tools: [
    tool({
      name: 'find_customer',
      description:
        'Use this to find a customer’s id by email address or part of the name. New customers can take a minute to appear.',
      input: z
        .object({
          email: z.string().max(320).optional(),
          name: z.string().min(3).max(200).optional().describe('Part of the name, at least 3 characters'),
          limit,
        })
        .refine(({ email, name }) => (email === undefined) !== (name === undefined), 'needs email or name'),
      effect: 'read',
      risk: 'none',
      request: ({ email, name, limit }) => ({
        method: 'GET',
        path: '/v1/customers/search',
        query: { query: email === undefined ? `name~${quoted(name!)}` : `email:${quoted(email)}`, limit },
      }),
      answer: { at: 'data', pick: ['id', 'name', 'email', 'phone', 'currency', 'balance', 'created'] },
      pages: { by: 'cursor', next: 'next_page', send: { query: 'page' } },
    }),
    tool({
      name: 'list_invoices',
      description:
        'Use this to see what a customer was billed, or which invoices are open. Newest first; amounts are in the currency’s smallest unit.',
      input: z.object({
        customer: customer.optional(),
        status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
        limit,
      }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/v1/invoices',
        query: { customer: from('customer'), status: from('status'), limit: from('limit') },
      },
      answer: {
        at: 'data',
        pick: [
          'id',
          'number',
          'customer',
          'status',
          'total',
          'amount_remaining',
          'currency',
          'due_date',
          'created',
          'hosted_invoice_url',
        ],
      },
    }),
    tool({
      name: 'list_payments',
      description:
        'Use this to see payments and whether they succeeded, and to find the payment to refund. Newest first; amounts are in the currency’s smallest unit.',
      input: z.object({ customer: customer.optional(), limit }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/v1/payment_intents',
        query: { customer: from('customer'), limit: from('limit') },
      },
      answer: {
        at: 'data',
        pick: [
          'id',
          'amount',
          'amount_received',
          'currency',
          'status',
          'customer',
          'description',
          'created',
          'last_payment_error.message',
        ],
      },
    }),
    tool({
      name: 'list_prices',
      description: 'Use this to find the price for a payment link. Only active prices are listed.',
      input: z.object({ limit }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/v1/prices',
        query: { active: true, 'expand[]': 'data.product', limit: from('limit') },
      },
      answer: {
        at: 'data',
        pick: ['id', 'product.name', 'unit_amount', 'currency', 'recurring.interval', 'nickname'],
      },
    }),
    tool({
      name: 'create_payment_link',
      description:
        'Use this to create a link where customers pay for a price. Anyone who has the link can use it.',
      input: z.object({
        price: z
          .string()
          .regex(/^price_\w+$/, 'must be a price id, such as price_123')
          .max(100),
        quantity: z.int().min(1).max(999_999).default(1),
      }),
      effect: 'once',
      risk: 'spend',
      request: {
        method: 'POST',
        path: '/v1/payment_links',
        form: { 'line_items[0][price]': from('price'), 'line_items[0][quantity]': from('quantity') },
        idempotencyHeader: 'idempotency-key',
      },
      answer: { pick: ['id', 'url', 'active', 'currency'] },
    }),
    tool({
      name: 'refund',
      description:
        'Use this to refund a payment, completely or in part. The money goes back to the customer and the refund cannot be undone.',
      input: z.object({
        payment: z
          .string()
          .regex(/^pi_\w+$/, 'must be a payment id, such as pi_123')
          .max(100)
          .describe('The id that list_payments returned'),
        amount: z
          .int()
          .min(1)
          .optional()
          .describe('In the currency’s smallest unit; by default the whole payment'),
        reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
      }),
      effect: 'once',
      risk: 'spend',
      request: {
        method: 'POST',
        path: '/v1/refunds',
        form: { payment_intent: from('payment'), amount: from('amount'), reason: from('reason') },
        idempotencyHeader: 'idempotency-key',
      },
      answer: { pick: ['id', 'amount', 'currency', 'status', 'payment_intent', 'failure_reason'] },
    }),
  ],
  receiver: stripeReceiver,
}
