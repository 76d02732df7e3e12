import { z } from 'zod'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { from } from '../../definition/request-template.ts'
import { sendgridReceiver } from './sendgrid-receiver.ts'

const email = z.email().max(320)
const limit = z.int().min(1).max(500).default(50)

export const sendgrid: ConnectorDefinition = {
  slug: 'sendgrid',
  name: 'SendGrid',
  description: 'Sends email, and reads which addresses bounced or unsubscribed.',
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
      // The answer is empty: the id of the message is in a header.
      answer: { map: () => ({ accepted: true }) },
    }),
    tool({
      name: 'list_senders',
      description: 'Use this to find the addresses from which email can be sent.',
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
      description: 'Use this to send email again to an address that bounced, after its cause was corrected.',
      input: z.object({ email }),
      effect: 'idempotent',
      risk: 'delete',
      request: { method: 'DELETE', path: '/v3/suppression/bounces/{email}' },
      answer: { map: () => ({ deleted: true }) },
    }),
  ],
  receiver: sendgridReceiver,
}
