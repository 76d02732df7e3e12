import { z } from 'zod'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { from } from '../../definition/request-template.ts'
import { resendReceiver } from './resend-receiver.ts'

export const resend: ConnectorDefinition = {
  slug: 'resend',
  name: 'Resend',
  description: 'Sends email from your domains, and receives email at them.',
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
  check: { request: { method: 'GET', path: '/domains' }, account: { name: 'data.0.name' } },
  errorFields: { code: 'name', message: 'message' },
  tools: [
    tool({
      name: 'send_email',
      description: 'Use this to send an email from a verified domain. list_domains returns the domains.',
      input: z.object({
        from: z.string().max(320).describe('A sender of a verified domain: Name <name@example.com>'),
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
      description: 'Use this to see whether an email that was sent was delivered, opened or bounced.',
      input: z.object({ id: z.string().max(100).describe('The id that send_email returned') }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/emails/{id}' },
      answer: { pick: ['id', 'from', 'to', 'subject', 'created_at', 'last_event'] },
    }),
    tool({
      name: 'list_domains',
      description: 'Use this to find out from which domains email can be sent.',
      input: z.object({}),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/domains' },
      answer: { at: 'data', pick: ['id', 'name', 'status', 'region'] },
    }),
    tool({
      name: 'get_received_email',
      description: 'Use this to read an email that was received, with its text.',
      input: z.object({ id: z.string().max(100).describe('The id of a received email') }),
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
