import { z } from 'zod'
import { ZENDESK } from '../../../../../signatures/provider-schemes.ts'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { displayTextAt, eventTypes, normalizedEvent, summary } from '../../definition/payload.ts'
import type { ReceiverDefinition, RegisteredEndpoint } from '../../definition/receiver.ts'
import { from } from '../../definition/template.ts'
import { findByUrl } from '../find-registration.ts'

const EVENTS = {
  'zendesk.ticket.created': 'A ticket was created',
  'zendesk.ticket.comment_added': 'A comment was added to a ticket',
  'zendesk.ticket.status_changed': 'A ticket’s status changed',
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
  // An internal note gets an internal reply.
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

const ticketId = z.int().min(1).describe('Ticket number')

const body = z.string().min(1).max(60_000)

const status = z.enum(['open', 'pending', 'hold', 'solved'])

export const zendesk: ConnectorDefinition = {
  slug: 'zendesk',
  name: 'Zendesk',
  description: 'Search, read and create support tickets, and reply to customers.',
  category: 'customers',
  docsUrl: 'https://developer.zendesk.com/api-reference/',
  checkedAt: '2026-11-16',
  config: [
    {
      key: 'subdomain',
      label: 'Subdomain',
      required: true,
      hint: 'The part of your Zendesk URL before .zendesk.com.',
      pattern: '[a-z0-9][a-z0-9-]{0,62}',
      placeholder: 'acme',
    },
  ],
  auth: {
    type: 'oauth',
    authorizeUrl: 'https://{config.subdomain}.zendesk.com/oauth/authorizations/new',
    tokenUrl: 'https://{config.subdomain}.zendesk.com/oauth/tokens',
    revoke: {
      url: 'https://{config.subdomain}.zendesk.com/api/v2/oauth/tokens/current.json',
      how: 'delete',
    },
    registerUrl:
      'https://support.zendesk.com/hc/en-us/articles/4408845965210-Using-OAuth-authentication-with-your-application',
    scopes: { default: ['read', 'write'] },
    // Zendesk phases out tokens without a lifetime. These are the maximums.
    params: {
      token: { expires_in: '172800', refresh_token_expires_in: '7776000' },
      refresh: { expires_in: '172800', refresh_token_expires_in: '7776000' },
    },
    // A refresh deletes both old tokens.
    lifetime: { access: 172_800, refresh: 'rotates', idleDays: 90 },
  },
  baseUrl: 'https://{config.subdomain}.zendesk.com',
  check: {
    request: { method: 'GET', path: '/api/v2/users/me.json' },
    account: { id: 'user.id', name: 'user.name', email: 'user.email', avatarUrl: 'user.photo.content_url' },
  },
  errorFields: { code: 'error', message: ['description', 'error.message', 'message'] },
  tools: [
    tool({
      name: 'search_tickets',
      description: 'Use this to find tickets by words, status, requester or date.',
      input: z.object({
        query: z
          .string()
          .min(1)
          .max(1000)
          .describe('Zendesk search syntax, such as: status<solved requester:a@example.com refund'),
        limit: z.int().min(1).max(100).default(20),
      }),
      effect: 'read',
      risk: 'none',
      request: ({ query, limit }) => ({
        method: 'GET',
        path: '/api/v2/search.json',
        query: { query: `type:ticket ${query}`, sort_by: 'updated_at', sort_order: 'desc', per_page: limit },
      }),
      answer: {
        at: 'results',
        pick: ['id', 'subject', 'status', 'priority', 'requester_id', 'assignee_id', 'tags', 'updated_at'],
      },
    }),
    tool({
      name: 'get_ticket',
      description: 'Use this to read a ticket with its first message and the people in it.',
      input: z.object({ ticketId }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/api/v2/tickets/{ticketId}.json', query: { include: 'users' } },
      answer: {
        pick: [
          'ticket.id',
          'ticket.subject',
          'ticket.description',
          'ticket.status',
          'ticket.priority',
          'ticket.requester_id',
          'ticket.assignee_id',
          'ticket.tags',
          'ticket.created_at',
          'ticket.updated_at',
          'users.id',
          'users.name',
          'users.email',
        ],
      },
    }),
    tool({
      name: 'list_comments',
      description: 'Use this to read a ticket’s conversation, oldest first, with internal notes.',
      input: z.object({ ticketId, limit: z.int().min(1).max(100).default(50) }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/api/v2/tickets/{ticketId}/comments.json',
        query: { 'page[size]': from('limit') },
      },
      answer: { at: 'comments', pick: ['id', 'author_id', 'plain_body', 'public', 'created_at'] },
      pages: { by: 'cursor', next: 'meta.after_cursor', send: { query: 'page[after]' } },
    }),
    tool({
      name: 'create_ticket',
      description: 'Use this to open a ticket. The requester receives an email.',
      input: z.object({
        subject: z.string().min(1).max(150),
        body,
        requesterEmail: z.email().max(320).optional().describe('The customer; by default the connected user'),
        requesterName: z.string().max(255).optional(),
        priority: z.enum(['urgent', 'high', 'normal', 'low']).optional(),
        tags: z.array(z.string().max(80)).max(20).optional(),
      }),
      effect: 'once',
      risk: 'send',
      request: ({ requesterEmail, requesterName }) => ({
        method: 'POST',
        path: '/api/v2/tickets.json',
        json: {
          ticket: {
            subject: from('subject'),
            comment: { body: from('body') },
            priority: from('priority'),
            tags: from('tags'),
            ...(requesterEmail && {
              requester: { email: requesterEmail, name: requesterName ?? requesterEmail },
            }),
          },
        },
        idempotencyHeader: 'idempotency-key',
      }),
      answer: { at: 'ticket', pick: ['id', 'subject', 'status', 'url'] },
    }),
    tool({
      name: 'reply',
      description:
        'Use this to answer a ticket’s requester, who receives an email. With public: false it is an internal note that only agents see.',
      input: z.object({ ticketId, body, public: z.boolean().default(true), status: status.optional() }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'PUT',
        path: '/api/v2/tickets/{ticketId}.json',
        json: { ticket: { comment: { body: from('body'), public: from('public') }, status: from('status') } },
      },
      answer: { at: 'ticket', pick: ['id', 'status', 'updated_at'] },
    }),
  ],
  receiver: zendeskReceiver,
}
