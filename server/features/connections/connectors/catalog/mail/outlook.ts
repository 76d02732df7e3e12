import { z } from 'zod'
import { type ConnectorDefinition, limit, tool } from '../../definition/definition.ts'
import { imagesOf, itemsAt, normalizedEvent, pathOf, textAt } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { encodeSegment, from, valueAt } from '../../definition/template.ts'
import { announcesEnd, GRAPH, graphSubscription, microsoftAuth, TENANT } from '../microsoft.ts'
import { htmlToText } from './html-text.ts'
import { isAutomatic } from './rfc822.ts'

const TEXT_MAX = 50_000
const LIST_FIELDS = 'id,conversationId,subject,from,receivedDateTime,isRead,hasAttachments,bodyPreview'

const FIELDS =
  'id,conversationId,subject,from,toRecipients,ccRecipients,isDraft,webLink,body,internetMessageHeaders'

export const outlookReceiver: ReceiverDefinition = {
  kind: 'mailbox',
  proof: { by: 'body-field', path: 'value.*.clientState', secret: { from: 'generated' } },
  handshake: { by: 'query-echo', parameter: 'validationToken' },
  events: { 'outlook.mail': 'A mail in the inbox' },
  response: { status: 202, contentType: 'text/plain', body: '' },
  normalize,
  announcesEnd,
  fetch: {
    request: ({ text, resource }) =>
      text === null && resource
        ? {
            method: 'GET',
            path: `/me/messages/${encodeSegment(resource.id)}`,
            query: { $select: FIELDS, $expand: 'attachments($select=id,contentType)' },
            headers: { prefer: 'outlook.body-content-type="text"' },
          }
        : null,
    complete,
  },
  images: {
    download: (ref) => {
      const { path, input } = pathOf(ref)
      return { request: { method: 'GET', path: `/me/messages${path}/$value` }, input }
    },
  },
  sessionKey: 'outlook:{thread}',
  reply: ({ replyTo: { messageId } }, text) => ({
    method: 'POST',
    path: `/me/messages/${encodeSegment(String(messageId))}/reply`,
    json: { comment: text },
  }),
  setup: graphSubscription({
    resource: () => "/me/mailFolders('inbox')/messages",
    changeType: 'created',
  }),
}

const messageId = z.string().min(1).max(500).describe('Mail id')

const emails = z.array(z.email().max(320)).max(50)

const mail = {
  to: emails.min(1),
  cc: emails.optional(),
  subject: z.string().min(1).max(255),
  text: z.string().min(1).max(100_000).describe('The body as plain text'),
}

const PLAIN_TEXT_HEADERS = { prefer: 'outlook.body-content-type="text"' }

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
    'Search, read, draft and send mail, and read the calendar, in a Microsoft 365 or Outlook.com account.',
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
        'Use it to find mail by words, or with Outlook’s search syntax: from:ada subject:invoice received>=2026-11-01. Best match first.',
      input: z.object({ query: z.string().min(1).max(500), limit: limit(100) }),
      effect: 'read',
      risk: 'none',
      // A quoted string. Graph refuses it with `$filter`, `$orderby` and `$skip`.
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
      description: 'Use it to read a mail’s text, sender and recipients.',
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
      description: 'Use it to prepare a mail that the user checks and sends. Nothing is sent.',
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
      description: 'Use it to reply to a mail’s sender in its conversation.',
      input: z.object({ messageId, text: mail.text }),
      effect: 'once',
      risk: 'send',
      request: { method: 'POST', path: '/me/messages/{messageId}/reply', json: { comment: from('text') } },
    }),
    tool({
      name: 'list_events',
      description: 'Use it to see calendar events between two times.',
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

/** Lifecycle notifications have no message. */
function normalize({ body }: ReceivedEvent): readonly NormalizedEvent[] {
  return itemsAt(body, 'value').flatMap((item) => {
    const id = textAt(item, 'resourceData.id')
    const isCreated = textAt(item, 'changeType') === 'created' && textAt(item, 'lifecycleEvent') === null
    if (id === null || !isCreated) return []
    return [
      normalizedEvent({
        eventKey: 'outlook.mail',
        externalId: `mail:${id}`,
        thread: 'inbox',
        resource: { type: 'mail', id, url: null },
        replyTo: { messageId: id },
      }),
    ]
  })
}

/** Two programs replying to each other would never stop. */
function complete(event: NormalizedEvent, answer: unknown) {
  const email = textAt(answer, 'from.emailAddress.address')
  const name = textAt(answer, 'from.emailAddress.name')
  const headers = itemsAt(answer, 'internetMessageHeaders')
  const header = (name: string) => {
    const found = headers.find((each) => textAt(each, 'name')?.toLowerCase() === name)
    return textAt(found, 'value') ?? (name === 'from' ? email : null)
  }
  // The reply would arrive as the next mail.
  const isToOneself = [...itemsAt(answer, 'toRecipients'), ...itemsAt(answer, 'ccRecipients')].some(
    (each) => textAt(each, 'emailAddress.address')?.toLowerCase() === email?.toLowerCase(),
  )
  if (email === null || isToOneself || valueAt(answer, 'isDraft') === true || isAutomatic(header)) {
    return { events: [] }
  }
  const content = textAt(answer, 'body.content') ?? ''
  const text = textAt(answer, 'body.contentType') === 'html' ? htmlToText(content) : content
  return {
    events: [
      {
        ...event,
        actor: { id: email, name, isBot: false },
        text: `${textAt(answer, 'subject') ?? ''}\n\n${text}`.slice(0, TEXT_MAX).trim(),
        thread: textAt(answer, 'conversationId') ?? event.resource!.id,
        resource: { type: 'message', id: event.resource!.id, url: textAt(answer, 'webLink') },
        ...imagesOf(
          itemsAt(answer, 'attachments').map((attachment) => ({
            ref: attachmentPath(event.resource!.id, textAt(attachment, 'id')),
            mimeType: textAt(attachment, 'contentType'),
          })),
        ),
      },
    ],
  }
}

const attachmentPath = (messageId: string, id: string | null): string | null =>
  id === null ? null : `/${encodeSegment(messageId)}/attachments/${encodeSegment(id)}`
