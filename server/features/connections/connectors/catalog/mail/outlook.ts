import { z } from 'zod'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { limit } from '../../definition/inputs.ts'
import { from } from '../../definition/request-template.ts'
import { GRAPH, microsoftAuth, TENANT } from './microsoft.ts'
import { outlookReceiver } from './outlook-receiver.ts'

const messageId = z.string().min(1).max(500).describe('The id of the mail')
const emails = z.array(z.email().max(320)).max(50)
const mail = {
  to: emails.min(1),
  cc: emails.optional(),
  subject: z.string().min(1).max(255),
  text: z.string().min(1).max(100_000).describe('The body as plain text'),
}
const PLAIN_TEXT_HEADERS = { prefer: 'outlook.body-content-type="text"' }
const LIST_FIELDS = 'id,conversationId,subject,from,receivedDateTime,isRead,hasAttachments,bodyPreview'
const time = z.iso.datetime({ offset: true }).describe('Such as 2026-11-16T09:00:00Z')

const recipients = (list: readonly string[]) => list.map((address) => ({ emailAddress: { address } }))
const message = ({ to, cc }: { to: string[]; cc?: string[] | undefined }) => ({
  subject: from('subject'),
  body: { contentType: 'text', content: from('text') },
  toRecipients: recipients(to),
  ...(cc && { ccRecipients: recipients(cc) }),
})

export const outlook: ConnectorDefinition = {
  slug: 'outlook',
  name: 'Outlook',
  description:
    'Search, read, draft and send mail, and read the calendar of a Microsoft 365 or Outlook.com account.',
  category: 'mail',
  docsUrl: 'https://learn.microsoft.com/graph/api/resources/mail-api-overview',
  checkedAt: '2026-11-16',
  config: [{ ...TENANT, default: 'common' }],
  auth: microsoftAuth(['User.Read', 'Mail.ReadWrite', 'Mail.Send', 'Calendars.Read']),
  ...GRAPH,
  tools: [
    tool({
      name: 'search_mail',
      description:
        'Use it to find mail by words, or with the search syntax of Outlook: from:ada subject:invoice received>=2026-11-01. Best match first.',
      input: z.object({ query: z.string().min(1).max(500), limit: limit(100) }),
      effect: 'read',
      risk: 'none',
      // `$search` is a quoted string; Graph refuses it together with `$filter`, `$orderby` and `$skip`.
      request: ({ query }) => ({
        method: 'GET',
        path: '/me/messages',
        query: {
          $search: `"${query.replaceAll(/[\\"]/g, '\\$&')}"`,
          $top: from('limit'),
          $select: LIST_FIELDS,
        },
      }),
      answer: { at: 'value' },
    }),
    tool({
      name: 'read_mail',
      description: 'Use it to read the text, the sender and the recipients of a mail.',
      input: z.object({ messageId }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/me/messages/{messageId}',
        query: {
          $select:
            'id,conversationId,subject,from,toRecipients,ccRecipients,receivedDateTime,hasAttachments,body',
        },
        headers: PLAIN_TEXT_HEADERS,
      },
      answer: {
        pick: [
          'id',
          'conversationId',
          'subject',
          'from.emailAddress',
          'toRecipients.emailAddress',
          'ccRecipients.emailAddress',
          'receivedDateTime',
          'hasAttachments',
          'body.content',
        ],
      },
    }),
    tool({
      name: 'create_draft',
      description: 'Use it to prepare a mail that the person checks and sends. Nothing is sent.',
      input: z.object(mail),
      effect: 'once',
      risk: 'none',
      request: (input) => ({ method: 'POST', path: '/me/messages', json: message(input) }),
      answer: { pick: ['id', 'conversationId', 'webLink'] },
    }),
    tool({
      name: 'send_mail',
      description: 'Use it to send a new mail immediately. A copy is saved in Sent Items.',
      input: z.object(mail),
      effect: 'once',
      risk: 'send',
      request: (input) => ({
        method: 'POST',
        path: '/me/sendMail',
        json: { message: message(input), saveToSentItems: true },
      }),
    }),
    tool({
      name: 'reply',
      description: 'Use it to reply to the sender of a mail in its conversation.',
      input: z.object({ messageId, text: mail.text }),
      effect: 'once',
      risk: 'send',
      request: { method: 'POST', path: '/me/messages/{messageId}/reply', json: { comment: from('text') } },
    }),
    tool({
      name: 'list_events',
      description: 'Use it to see the events of the calendar between two times.',
      input: z.object({ start: time, end: time, limit: limit(100, 50) }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/me/calendarView',
        query: {
          startDateTime: from('start'),
          endDateTime: from('end'),
          $top: from('limit'),
          $orderby: 'start/dateTime',
          $select: 'id,subject,start,end,location,organizer,attendees,isAllDay,isCancelled,onlineMeeting',
        },
      },
      answer: {
        at: 'value',
        pick: [
          'id',
          'subject',
          'start',
          'end',
          'location.displayName',
          'organizer.emailAddress',
          'attendees.emailAddress',
          'attendees.status.response',
          'isAllDay',
          'isCancelled',
          'onlineMeeting.joinUrl',
        ],
      },
      pages: { by: 'offset', send: { query: '$skip' } },
    }),
  ],
  receiver: outlookReceiver,
}
