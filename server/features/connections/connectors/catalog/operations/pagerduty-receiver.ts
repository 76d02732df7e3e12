import { PAGERDUTY } from '../../../../../signatures/provider-schemes.ts'
import { normalizedEvent } from '../../definition/payload.ts'
import type { ReceiverDefinition, RegisteredEndpoint } from '../../definition/receiver.ts'
import { findByUrl } from '../find-registration.ts'
import { displayTextAt, eventTypes, summary } from '../summary.ts'

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
    // The data of a note is the note, which refers to its incident.
    const incident = event('data.incident.id') ?? event('data.id')
    const id = event('id')
    if (id === null || incident === null || !Object.hasOwn(EVENTS, eventKey)) return []
    return [
      normalizedEvent({
        eventKey,
        externalId: id,
        // A service that reports an incident is not a bot that answers.
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
  // The answer becomes a note of the incident.
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
        hint: 'The id of a service, from its URL. Empty: all services.',
        required: false,
        pattern: '[A-Z0-9]{5,32}',
      },
    ],
  },
}
