import { z } from 'zod'
import { WEBHOOK_SCHEMES } from '../../../../../signatures/signature-schemes.ts'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import {
  displayTextAt,
  eventTypes,
  imagesOf,
  itemsAt,
  normalizedEvent,
  publicRequestForUrl,
  summary,
  textAt,
} from '../../definition/payload.ts'
import type { NormalizedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { encodeSegment, from, valueAt } from '../../definition/template.ts'
import { findByUrl } from '../find-registration.ts'

const EVENTS = {
  'resend.email.received': 'An email was received',
  'resend.email.delivered': 'An email was delivered',
  'resend.email.bounced': 'An email bounced',
  'resend.email.complained': 'A recipient marked an email as spam',
  'resend.email.failed': 'An email could not be sent',
} as const

const pathOf = ({ webhookId = '' }: Readonly<Record<string, string>>) =>
  `/webhooks/${encodeURIComponent(webhookId)}`

const addressOf = (sender: string) => /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender

const refOf = ({ resource }: NormalizedEvent, attachmentId: string | null): string | null =>
  resource && attachmentId !== null ? `${resource.id}/${attachmentId}` : null

const baseSubject = (subject: string) => subject.replace(/^((re|fwd?|aw|wg):\s*)+/i, '')

export const resendReceiver: ReceiverDefinition = {
  kind: 'mailbox',
  proof: { by: 'signature', schemes: WEBHOOK_SCHEMES.standard, secret: { from: 'registration' } },
  events: EVENTS,
  sessionKey: 'resend:{thread}',
  normalize: ({ headers, body }) => {
    const eventKey = `resend.${displayTextAt(body, 'type')}`
    const externalId = headers['svix-id'] ?? headers['webhook-id']
    const [id, sender] = [displayTextAt(body, 'data.email_id'), displayTextAt(body, 'data.from')]
    if (!externalId || id === null || sender === null || !Object.hasOwn(EVENTS, eventKey)) return []
    const subject = displayTextAt(body, 'data.subject') ?? ''
    const isReceived = eventKey === 'resend.email.received'
    const recipient = displayTextAt(body, 'data.received_for.0') ?? displayTextAt(body, 'data.to.0')
    return [
      normalizedEvent({
        eventKey,
        externalId,
        actor: isReceived
          ? { id: addressOf(sender), name: sender, isBot: false }
          : { id: recipient, name: recipient, isBot: false },
        // A received email's text is fetched.
        text: isReceived
          ? null
          : summary(EVENTS[eventKey as keyof typeof EVENTS], {
              id,
              to: recipient,
              subject,
              reason: displayTextAt(body, 'data.bounce.message') ?? displayTextAt(body, 'data.failed.reason'),
            }),
        thread: isReceived ? `${addressOf(sender).toLowerCase()}:${baseSubject(subject)}` : id,
        resource: { type: 'email', id, url: null },
        replyTo: isReceived ? { from: recipient ?? '', to: sender, subject: baseSubject(subject) } : {},
      }),
    ]
  },
  fetch: {
    request: ({ text, resource }) =>
      text !== null || resource === null
        ? null
        : { method: 'GET', path: `/emails/receiving/${encodeURIComponent(resource.id)}` },
    complete: (event, email) => {
      const autoSubmitted = headerOf(email, 'auto-submitted')
      // Two programs replying to each other would never stop.
      if (autoSubmitted !== null && autoSubmitted.toLowerCase() !== 'no') return { events: [] }
      const messageId = displayTextAt(email, 'message_id')
      return {
        events: [
          {
            ...event,
            text: [displayTextAt(email, 'subject'), displayTextAt(email, 'text')]
              .filter(Boolean)
              .join('\n\n'),
            replyTo: {
              ...event.replyTo,
              to: displayTextAt(email, 'reply_to.0') ?? event.replyTo.to ?? '',
              ...(messageId !== null && {
                messageId,
                references: [headerOf(email, 'references'), messageId].filter(Boolean).join(' '),
              }),
            },
            ...imagesOf(
              itemsAt(email, 'attachments').map((attachment) => ({
                ref: refOf(event, textAt(attachment, 'id')),
                mimeType: textAt(attachment, 'content_type'),
              })),
            ),
          },
        ],
      }
    },
  },
  images: {
    // Addresses last an hour.
    locate: {
      request: (ref) => {
        const [email = '', attachment = ''] = ref.split('/')
        const path = `/emails/receiving/${encodeSegment(email)}/attachments/${encodeSegment(attachment)}`
        return { method: 'GET', path }
      },
      addressIn: (answer) => textAt(answer, 'download_url'),
    },
    download: publicRequestForUrl,
  },
  reply: ({ replyTo: { from, to, subject, messageId, references } }, text) =>
    !from || !to
      ? []
      : {
          method: 'POST',
          path: '/emails',
          json: {
            from,
            to: [to],
            subject: `Re: ${subject}`,
            text,
            headers: {
              'Auto-Submitted': 'auto-replied',
              ...(messageId !== undefined && { 'In-Reply-To': messageId, References: references! }),
            },
          },
          idempotencyHeader: 'idempotency-key',
        },
  setup: {
    by: 'api',
    find: findByUrl(
      { method: 'GET', path: '/webhooks' },
      { items: 'data', url: 'endpoint', keep: 'webhookId' },
    ),
    register: ({ url, events }) => ({
      request: {
        method: 'POST',
        path: '/webhooks',
        json: { endpoint: url, events: eventTypes('resend', events, EVENTS) },
      },
      keep: (answer) => ({ webhookId: displayTextAt(answer, 'id') ?? '' }),
      secret: (answer) => displayTextAt(answer, 'signing_secret') ?? undefined,
    }),
    update: (kept, { url, events }) => ({
      method: 'PATCH',
      path: pathOf(kept),
      json: { endpoint: url, events: eventTypes('resend', events, EVENTS), status: 'enabled' },
    }),
    unregister: (kept) => ({ method: 'DELETE', path: pathOf(kept) }),
  },
}

export const resend: ConnectorDefinition = {
  slug: 'resend',
  name: 'Resend',
  description: 'Send email from your domains, and receive email at them.',
  category: 'mail',
  docsUrl: 'https://resend.com/docs/api-reference',
  checkedAt: '2026-11-16',
  auth: {
    type: 'api_key',
    fields: [
      {
        key: 'apiKey',
        label: 'API key',
        required: true,
        secret: true,
        hint: 'Resend, under API Keys. It starts with re_ and needs full access.',
        pattern: 're_[A-Za-z0-9_]{8,100}',
        placeholder: 're_…',
      },
    ],
    send: { header: 'authorization', value: 'Bearer {credentials.apiKey}' },
  },
  baseUrl: 'https://api.resend.com',
  // Of received attachments.
  hosts: ['inbound-cdn.resend.com'],
  check: { request: { method: 'GET', path: '/domains' }, account: { name: 'data.0.name' } },
  errorFields: { code: 'name', message: 'message' },
  tools: [
    tool({
      name: 'send_email',
      description: 'Use this to send an email from a verified domain. list_domains returns the domains.',
      input: z.object({
        from: z.string().max(320).describe('A sender on a verified domain: Name <name@example.com>'),
        to: z.array(z.string().max(320)).min(1).max(50),
        cc: z.array(z.string().max(320)).max(50).optional(),
        subject: z.string().min(1).max(500),
        text: z.string().min(1).max(100_000),
        replyTo: z.string().max(320).optional(),
      }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: '/emails',
        json: {
          from: from('from'),
          to: from('to'),
          cc: from('cc'),
          subject: from('subject'),
          text: from('text'),
          reply_to: from('replyTo'),
        },
        idempotencyHeader: 'idempotency-key',
      },
      answer: { pick: ['id'] },
    }),
    tool({
      name: 'get_email',
      description: 'Use this to see whether a sent email was delivered, opened or bounced.',
      input: z.object({ id: z.string().max(100).describe('The id that send_email returned') }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/emails/{id}' },
      answer: { pick: ['id', 'from', 'to', 'subject', 'created_at', 'last_event'] },
    }),
    tool({
      name: 'list_domains',
      description: 'Use this to find out which domains can send email.',
      input: z.object({}),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/domains' },
      answer: { at: 'data', pick: ['id', 'name', 'status', 'region'] },
    }),
    tool({
      name: 'get_received_email',
      description: 'Use this to read a received email with its text.',
      input: z.object({ id: z.string().max(100).describe('Id from a received email') }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/emails/receiving/{id}' },
      answer: {
        pick: ['id', 'from', 'to', 'cc', 'subject', 'text', 'created_at', 'attachments.filename'],
      },
    }),
  ],
  receiver: resendReceiver,
}

/** Header names are case-insensitive. */
function headerOf(email: unknown, name: string): string | null {
  const headers = Object.entries((valueAt(email, 'headers') ?? {}) as Record<string, unknown>)
  const value = headers.find(([each]) => each.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : null
}
