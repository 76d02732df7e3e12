import { z } from 'zod'
import { PAGERDUTY } from '../../../../../signatures/provider-schemes.ts'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { displayTextAt, eventTypes, normalizedEvent, summary } from '../../definition/payload.ts'
import type { ReceiverDefinition, RegisteredEndpoint } from '../../definition/receiver.ts'
import { from } from '../../definition/template.ts'
import { findByUrl } from '../find-registration.ts'

const EVENTS = {
  'pagerduty.incident.triggered': 'An incident was triggered',
  'pagerduty.incident.acknowledged': 'An incident was acknowledged',
  'pagerduty.incident.escalated': 'An incident was escalated',
  'pagerduty.incident.reopened': 'An incident was opened again',
  'pagerduty.incident.resolved': 'An incident was resolved',
  'pagerduty.incident.annotated': 'A note was added to an incident',
} as const

const filterOf = (serviceId: string | undefined): Record<string, string> =>
  serviceId ? { type: 'service_reference', id: serviceId } : { type: 'account_reference' }

const subscription = ({ events, config: { serviceId } }: RegisteredEndpoint) => ({
  description: 'Atrium',
  events: eventTypes('pagerduty', events, EVENTS),
  filter: filterOf(serviceId),
})

const pathOf = ({ subscriptionId = '' }: Readonly<Record<string, string>>) =>
  `/webhook_subscriptions/${encodeURIComponent(subscriptionId)}`

export const pagerdutyReceiver: ReceiverDefinition = {
  kind: 'other',
  proof: { by: 'signature', schemes: [PAGERDUTY], secret: { from: 'registration' } },
  handshake: { by: 'ignored', path: 'event.event_type', equals: 'pagey.ping' },
  events: EVENTS,
  sessionKey: 'pagerduty:{thread}',
  normalize: ({ body }) => {
    const event = (path: string) => displayTextAt(body, `event.${path}`)
    const eventKey = `pagerduty.${event('event_type')}`
    // A note refers to its incident.
    const incident = event('data.incident.id') ?? event('data.id')
    const id = event('id')
    if (id === null || incident === null || !Object.hasOwn(EVENTS, eventKey)) return []
    return [
      normalizedEvent({
        eventKey,
        externalId: id,
        // A reporting service isn't a bot that answers.
        actor: { id: event('agent.id'), name: event('agent.summary'), isBot: false },
        text: summary(EVENTS[eventKey as keyof typeof EVENTS], {
          incident,
          title: event('data.title') ?? event('data.incident.summary'),
          status: event('data.status'),
          urgency: event('data.urgency'),
          priority: event('data.priority.summary'),
          service: event('data.service.summary'),
          note: event('data.content'),
        }),
        thread: incident,
        resource: {
          type: 'incident',
          id: incident,
          url: event('data.incident.html_url') ?? event('data.html_url'),
        },
        replyTo: { incidentId: incident },
      }),
    ]
  },
  // The answer becomes an incident note.
  reply: ({ replyTo }, text) => ({
    method: 'POST',
    path: `/incidents/${encodeURIComponent(replyTo.incidentId!)}/notes`,
    json: { note: { content: text } },
  }),
  setup: {
    by: 'api',
    find: findByUrl(
      { method: 'GET', path: '/webhook_subscriptions', query: { limit: 100 } },
      { items: 'webhook_subscriptions', url: 'delivery_method.url', keep: 'subscriptionId' },
    ),
    register: (endpoint) => ({
      request: {
        method: 'POST',
        path: '/webhook_subscriptions',
        json: {
          webhook_subscription: {
            type: 'webhook_subscription',
            delivery_method: { type: 'http_delivery_method', url: endpoint.url },
            ...subscription(endpoint),
          },
        },
      },
      keep: (answer) => ({ subscriptionId: displayTextAt(answer, 'webhook_subscription.id') ?? '' }),
      secret: (answer) => displayTextAt(answer, 'webhook_subscription.delivery_method.secret') ?? undefined,
    }),
    update: (kept, endpoint) => ({
      method: 'PUT',
      path: pathOf(kept),
      json: { webhook_subscription: subscription(endpoint) },
    }),
    unregister: (kept) => ({ method: 'DELETE', path: pathOf(kept) }),
    fields: [
      {
        key: 'serviceId',
        label: 'Service',
        hint: 'A service id, from its URL. Empty: all services.',
        required: false,
        pattern: '[A-Z0-9]{5,32}',
      },
    ],
  },
}

const incidentId = z.string().regex(/^[A-Z0-9]{5,32}$/, 'must be an incident id, such as PT4KHLK')

const INCIDENT_FIELDS = [
  'id',
  'incident_number',
  'title',
  'status',
  'urgency',
  'priority.summary',
  'service.summary',
  'assignments.assignee.summary',
  'created_at',
  'html_url',
] as const

export const pagerduty: ConnectorDefinition = {
  slug: 'pagerduty',
  name: 'PagerDuty',
  description: 'Read incidents and who is on call, acknowledge and resolve incidents, and add notes.',
  category: 'operations',
  docsUrl: 'https://developer.pagerduty.com/api-reference/',
  checkedAt: '2026-11-16',
  config: [
    {
      key: 'region',
      label: 'Region',
      required: false,
      hint: 'eu for app.eu.pagerduty.com, otherwise us.',
      pattern: 'us|eu',
      default: 'us',
    },
  ],
  auth: {
    type: 'api_key',
    fields: [
      {
        key: 'apiKey',
        label: 'API token',
        required: true,
        secret: true,
        hint: 'PagerDuty, under My Profile, User Settings: Create API User Token.',
        pattern: '[A-Za-z0-9_+-]{16,64}',
      },
    ],
    send: { header: 'authorization', value: 'Token token={credentials.apiKey}' },
  },
  baseUrl: ({ region }) => (region === 'eu' ? 'https://api.eu.pagerduty.com' : 'https://api.pagerduty.com'),
  headers: { accept: 'application/vnd.pagerduty+json;version=2' },
  check: {
    request: { method: 'GET', path: '/users/me' },
    account: { id: 'user.id', name: 'user.name', email: 'user.email', avatarUrl: 'user.avatar_url' },
  },
  retryAfter: { header: 'ratelimit-reset', unit: 'seconds' },
  errorFields: { code: 'error.code', message: ['error.errors.0', 'error.message'] },
  tools: [
    tool({
      name: 'list_incidents',
      description: 'Use this to see the open incidents, or those in a period. Newest first.',
      input: z.object({
        statuses: z
          .array(z.enum(['triggered', 'acknowledged', 'resolved']))
          .min(1)
          .max(3)
          .default(['triggered', 'acknowledged']),
        since: z.iso.datetime({ offset: true }).optional(),
        until: z.iso.datetime({ offset: true }).optional(),
        limit: z.int().min(1).max(100).default(25),
      }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/incidents',
        query: {
          'statuses[]': from('statuses'),
          since: from('since'),
          until: from('until'),
          limit: from('limit'),
          sort_by: 'created_at:desc',
        },
      },
      answer: { at: 'incidents', pick: INCIDENT_FIELDS },
    }),
    tool({
      name: 'get_incident',
      description: 'Use this to read an incident with its details.',
      input: z.object({ incidentId }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/incidents/{incidentId}', query: { 'include[]': 'body' } },
      answer: { at: 'incident', pick: [...INCIDENT_FIELDS, 'body.details', 'escalation_policy.summary'] },
    }),
    tool({
      name: 'list_on_calls',
      description: 'Use this to find out who is on call now.',
      input: z.object({ limit: z.int().min(1).max(100).default(50) }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/oncalls', query: { limit: from('limit'), earliest: true } },
      answer: {
        at: 'oncalls',
        pick: [
          'user.summary',
          'schedule.summary',
          'escalation_policy.summary',
          'escalation_level',
          'start',
          'end',
        ],
      },
    }),
    tool({
      name: 'update_incident',
      description: 'Use this to acknowledge or resolve an incident. Responders are notified.',
      input: z.object({ incidentId, status: z.enum(['acknowledged', 'resolved']) }),
      effect: 'idempotent',
      risk: 'send',
      request: {
        method: 'PUT',
        path: '/incidents/{incidentId}',
        json: { incident: { type: 'incident_reference', status: from('status') } },
      },
      answer: { at: 'incident', pick: ['id', 'status', 'title', 'html_url'] },
    }),
    tool({
      name: 'add_note',
      description: 'Use this to add a note to an incident. Responders can see it.',
      input: z.object({ incidentId, text: z.string().min(1).max(25_000) }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: '/incidents/{incidentId}/notes',
        json: { note: { content: from('text') } },
      },
      answer: { at: 'note', pick: ['id', 'created_at'] },
    }),
  ],
  receiver: pagerdutyReceiver,
}
