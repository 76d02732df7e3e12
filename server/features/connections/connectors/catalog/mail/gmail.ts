import { z } from 'zod'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { limit } from '../../definition/inputs.ts'
import { itemsAt } from '../../definition/payload.ts'
import { from } from '../../definition/request-template.ts'
import { GOOGLE_ERROR_FIELDS, googleOAuth } from '../google-oauth.ts'
import { readableMessage } from './gmail-message.ts'
import { gmailReceiver } from './gmail-receiver.ts'
import { encodeMail, isMailbox } from './rfc822.ts'

const API = '/gmail/v1/users/me'
const mailId = (description: string) =>
  z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .describe(description)
const recipients = z
  .array(
    z
      .string()
      .min(3)
      .max(320)
      .refine(isMailbox, 'must be an email address, or a name and <an email address>'),
  )
  .max(50)
  .describe('Email addresses: ada@example.com or Ada <ada@example.com>')
const mail = {
  to: recipients.min(1),
  cc: recipients.optional(),
  bcc: recipients.optional(),
  subject: z.string().min(1).max(500),
  text: z.string().min(1).max(100_000).describe('The body as plain text'),
  threadId: mailId('The thread to reply in; the subject must be the same').optional(),
  inReplyTo: z.string().max(300).optional().describe('`messageId` of the mail to reply to'),
}

export const gmail: ConnectorDefinition = {
  slug: 'gmail',
  name: 'Gmail',
  description: 'Search, read, draft and send mail of a Gmail account.',
  category: 'mail',
  docsUrl: 'https://developers.google.com/workspace/gmail/api/reference/rest',
  checkedAt: '2026-11-16',
  auth: googleOAuth([
    'https://www.googleapis.com/auth/gmail.readonly',
    'https://www.googleapis.com/auth/gmail.compose',
  ]),
  baseUrl: 'https://gmail.googleapis.com',
  check: {
    request: { method: 'GET', path: `${API}/profile` },
    account: { id: 'emailAddress', name: 'emailAddress', email: 'emailAddress' },
  },
  errorFields: GOOGLE_ERROR_FIELDS,
  tools: [
    tool({
      name: 'search_mail',
      description:
        'Use it to find mail with the search syntax of Gmail: from:ada is:unread newer_than:7d. Returns threads with a snippet; read_thread returns the text.',
      input: z.object({ query: z.string().max(1000), limit: limit(100) }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: `${API}/threads`,
        query: { q: from('query'), maxResults: from('limit') },
      },
      answer: { at: 'threads', pick: ['id', 'snippet'], map: (threads) => threads ?? [] },
      pages: { by: 'cursor', next: 'nextPageToken', send: { query: 'pageToken' } },
    }),
    tool({
      name: 'read_thread',
      description:
        'Use it to read the mails of a thread: senders, subject, text and the names of attachments.',
      input: z.object({ threadId: mailId('The id of the thread') }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: `${API}/threads/{threadId}`, query: { format: 'full' } },
      answer: { map: (thread) => itemsAt(thread, 'messages').map(readableMessage) },
    }),
    tool({
      name: 'create_draft',
      description: 'Use it to prepare a mail that the person checks and sends. Nothing is sent.',
      input: z.object(mail),
      effect: 'once',
      risk: 'none',
      request: (input) => ({
        method: 'POST',
        path: `${API}/drafts`,
        json: { message: { raw: encodeMail(input), threadId: from('threadId') } },
      }),
      answer: { pick: ['id', 'message.id', 'message.threadId'] },
    }),
    tool({
      name: 'send_draft',
      description: 'Use it to send an existing draft, such as one from create_draft.',
      input: z.object({ draftId: mailId('The id of the draft') }),
      effect: 'once',
      risk: 'send',
      request: { method: 'POST', path: `${API}/drafts/send`, json: { id: from('draftId') } },
      answer: { pick: ['id', 'threadId'] },
    }),
    tool({
      name: 'send_mail',
      description:
        'Use it to send a mail immediately, as a new thread or, with threadId and inReplyTo, as a reply.',
      input: z.object(mail),
      effect: 'once',
      risk: 'send',
      request: (input) => ({
        method: 'POST',
        path: `${API}/messages/send`,
        json: { raw: encodeMail(input), threadId: from('threadId') },
      }),
      answer: { pick: ['id', 'threadId'] },
    }),
  ],
  receiver: gmailReceiver,
}
