import { z } from 'zod'
import { SENDGRID } from '../../../../../signatures/provider-schemes.ts'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { displayTextAt, itemsAt, normalizedEvent, summary } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { from } from '../../definition/template.ts'

const EVENTS = {
  'sendgrid.delivered': 'An email was delivered',
  'sendgrid.bounce': 'An email bounced',
  'sendgrid.dropped': 'An email was not sent, because the address is suppressed',
  'sendgrid.spamreport': 'A recipient marked an email as spam',
  'sendgrid.unsubscribe': 'A recipient unsubscribed',
  'sendgrid.open': 'An email was opened',
  'sendgrid.click': 'A link in an email was opened',
} as const

export const sendgridReceiver: ReceiverDefinition = {
  kind: 'mailbox',
  proof: {
    by: 'signature',
    schemes: [SENDGRID],
    secret: {
      from: 'entered',
      label: 'Verification key',
      hint: 'Shown in SendGrid after Signed Event Webhook is turned on.',
    },
  },
  events: EVENTS,
  sessionKey: 'sendgrid:{thread}',
  normalize: ({ body }) =>
    itemsAt(body, '').flatMap((item) => {
      const eventKey = `sendgrid.${displayTextAt(item, 'event')}`
      const [id, email] = [displayTextAt(item, 'sg_event_id'), displayTextAt(item, 'email')]
      if (id === null || email === null || !Object.hasOwn(EVENTS, eventKey)) return []
      const messageId = displayTextAt(item, 'sg_message_id')
      return [
        normalizedEvent({
          eventKey,
          externalId: id,
          actor: { id: email, name: email, isBot: false },
          text: summary(EVENTS[eventKey as keyof typeof EVENTS], {
            email,
            message: messageId,
            reason: displayTextAt(item, 'reason') ?? displayTextAt(item, 'response'),
            status: displayTextAt(item, 'status'),
            url: displayTextAt(item, 'url'),
          }),
          thread: email.toLowerCase(),
          resource: messageId === null ? null : { type: 'email', id: messageId, url: null },
        }),
      ]
    }),
  setup: {
    by: 'hand',
    steps: [
      'In SendGrid, open Settings, Mail Settings, Event Webhooks, and create a webhook with the URL {url}.',
      'Choose the events that the agent handles, and turn on Signed Event Webhook under Security features.',
      'Save it, open it again, and enter its verification key here.',
    ],
  },
}

const email = z.email().max(320)

const limit = z.int().min(1).max(500).default(50)

export const sendgrid: ConnectorDefinition = {
  slug: 'sendgrid',
  name: 'SendGrid',
  description: 'Send email, and read which addresses bounced or unsubscribed.',
  category: 'mail',
  docsUrl: 'https://www.twilio.com/docs/sendgrid/api-reference',
  checkedAt: '2026-11-16',
  config: [
    {
      key: 'region',
      label: 'Region',
      required: false,
      hint: 'eu for a subuser in the EU, otherwise global.',
      pattern: 'global|eu',
      default: 'global',
    },
  ],
  auth: {
    type: 'api_key',
    fields: [
      {
        key: 'apiKey',
        label: 'API key',
        required: true,
        secret: true,
        hint: 'SendGrid, under Settings, API Keys: a key with access to Mail Send, Suppressions and Sender Authentication.',
        pattern: 'SG\\.[A-Za-z0-9_-]{10,100}\\.[A-Za-z0-9_-]{10,200}',
        placeholder: 'SG.…',
      },
    ],
    send: { header: 'authorization', value: 'Bearer {credentials.apiKey}' },
  },
  baseUrl: ({ region }) => (region === 'eu' ? 'https://api.eu.sendgrid.com' : 'https://api.sendgrid.com'),
  check: { request: { method: 'GET', path: '/v3/scopes' }, account: {} },
  retryAfter: { header: 'x-ratelimit-reset', unit: 'epoch' },
  errorFields: { code: 'errors.0.field', message: 'errors.0.message' },
  tools: [
    tool({
      name: 'send_email',
      description: 'Use this to send an email from a verified sender. list_senders returns the senders.',
      input: z.object({
        from: email,
        fromName: z.string().max(200).optional(),
        to: z.array(email).min(1).max(100),
        cc: z.array(email).max(100).optional(),
        subject: z.string().min(1).max(500),
        text: z.string().min(1).max(100_000),
        replyTo: email.optional(),
      }),
      effect: 'once',
      risk: 'send',
      request: ({ from: sender, fromName, to, cc, subject, text, replyTo }) => ({
        method: 'POST',
        path: '/v3/mail/send',
        json: {
          personalizations: [
            {
              to: to.map((each) => ({ email: each })),
              ...(cc && cc.length > 0 && { cc: cc.map((each) => ({ email: each })) }),
            },
          ],
          from: { email: sender, ...(fromName && { name: fromName }) },
          ...(replyTo && { reply_to: { email: replyTo } }),
          subject,
          content: [{ type: 'text/plain', value: text }],
        },
      }),
      // The message id is in a header.
      answer: { map: () => ({ accepted: true }) },
    }),
    tool({
      name: 'list_senders',
      description: 'Use this to find the addresses that can send email.',
      input: z.object({ limit }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/v3/verified_senders', query: { limit: from('limit') } },
      answer: { at: 'results', pick: ['id', 'from_email', 'from_name', 'reply_to', 'verified'] },
    }),
    tool({
      name: 'list_bounces',
      description: 'Use this to see which addresses do not receive email because an earlier one bounced.',
      input: z.object({
        since: z.int().min(0).optional().describe('Seconds since 1970'),
        limit,
      }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/v3/suppression/bounces',
        query: { start_time: from('since'), limit: from('limit') },
      },
      answer: { pick: ['email', 'created', 'reason', 'status'] },
      pages: { by: 'offset', send: { query: 'offset' } },
    }),
    tool({
      name: 'list_unsubscribes',
      description: 'Use this to see which addresses unsubscribed from all email.',
      input: z.object({ limit }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/v3/suppression/unsubscribes', query: { limit: from('limit') } },
      answer: { pick: ['email', 'created'] },
      pages: { by: 'offset', send: { query: 'offset' } },
    }),
    tool({
      name: 'delete_bounce',
      description: 'Use this to send email again to an address that bounced, after the cause was fixed.',
      input: z.object({ email }),
      effect: 'idempotent',
      risk: 'delete',
      request: { method: 'DELETE', path: '/v3/suppression/bounces/{email}' },
      answer: { map: () => ({ deleted: true }) },
    }),
  ],
  receiver: sendgridReceiver,
}
