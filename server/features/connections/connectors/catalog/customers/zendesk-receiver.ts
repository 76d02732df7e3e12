import { ZENDESK } from '../../../../../signatures/provider-schemes.ts'
import { normalizedEvent } from '../../definition/payload.ts'
import type { ReceiverDefinition, RegisteredEndpoint } from '../../definition/receiver.ts'
import { findByUrl } from '../find-registration.ts'
import { displayTextAt, eventTypes, summary } from '../summary.ts'

const EVENTS = {
  'zendesk.ticket.created': 'A ticket was created',
  'zendesk.ticket.comment_added': 'A comment was added to a ticket',
  'zendesk.ticket.status_changed': 'The status of a ticket changed',
  'zendesk.ticket.agent_assignment_changed': 'A ticket was assigned to another agent',
} as const

const webhook = ({ url, events }: RegisteredEndpoint) => ({
  webhook: {
    name: 'Atrium',
    endpoint: url,
    http_method: 'POST',
    request_format: 'json',
    status: 'active',
    subscriptions: eventTypes('zendesk', events, EVENTS).map((type) => `zen:event-type:${type}`),
  },
})
const pathOf = ({ webhookId = '' }: Readonly<Record<string, string>>) =>
  `/api/v2/webhooks/${encodeURIComponent(webhookId)}`

export const zendeskReceiver: ReceiverDefinition = {
  kind: 'other',
  proof: { by: 'signature', schemes: [ZENDESK], secret: { from: 'registration' } },
  events: EVENTS,
  sessionKey: 'zendesk:{thread}',
  normalize: ({ body }) => {
    const [id, type] = [
      displayTextAt(body, 'id'),
      displayTextAt(body, 'type')?.replace('zen:event-type:', ''),
    ]
    const ticket = displayTextAt(body, 'detail.id')
    const eventKey = `zendesk.${type}`
    if (id === null || ticket === null || !Object.hasOwn(EVENTS, eventKey)) return []
    const comment = (name: string) => displayTextAt(body, `event.comment.${name}`)
    const actor = comment('author.id') ?? displayTextAt(body, 'detail.actor_id')
    const line = summary(EVENTS[eventKey as keyof typeof EVENTS], {
      ticket,
      subject: displayTextAt(body, 'detail.subject'),
      status: displayTextAt(body, 'detail.status'),
      from: displayTextAt(body, 'event.previous'),
      to: displayTextAt(body, 'event.current'),
      'internal note': comment('is_public') === 'false' ? 'yes' : null,
    })
    const content =
      comment('body') ?? (type === 'ticket.created' ? displayTextAt(body, 'detail.description') : null)
    return [
      normalizedEvent({
        eventKey,
        externalId: id,
        actor: { id: actor, name: comment('author.name'), isBot: false },
        text: content === null ? line : `${line}\n\n${content}`,
        thread: ticket,
        resource: { type: 'ticket', id: ticket, url: null },
        replyTo: { ticketId: ticket, isPublic: comment('is_public') === 'false' ? 0 : 1 },
      }),
    ]
  },
  // An internal note is answered by an internal note.
  reply: ({ replyTo }, text) => ({
    method: 'PUT',
    path: `/api/v2/tickets/${encodeURIComponent(replyTo.ticketId!)}.json`,
    json: { ticket: { comment: { body: text, public: replyTo.isPublic === 1 } } },
  }),
  setup: {
    by: 'api',
    find: findByUrl(
      { method: 'GET', path: '/api/v2/webhooks', query: { 'page[size]': 100 } },
      { items: 'webhooks', url: 'endpoint', keep: 'webhookId' },
    ),
    register: (endpoint) => ({
      request: { method: 'POST', path: '/api/v2/webhooks', json: webhook(endpoint) },
      keep: (answer) => ({ webhookId: displayTextAt(answer, 'webhook.id') ?? '' }),
      secret: (answer) => displayTextAt(answer, 'webhook.signing_secret.secret') ?? undefined,
    }),
    readSecret: (kept) => ({
      request: { method: 'GET', path: `${pathOf(kept)}/signing_secret` },
      secret: (answer) => displayTextAt(answer, 'signing_secret.secret') ?? undefined,
    }),
    update: (kept, endpoint) => ({ method: 'PUT', path: pathOf(kept), json: webhook(endpoint) }),
    unregister: (kept) => ({ method: 'DELETE', path: pathOf(kept) }),
  },
}
