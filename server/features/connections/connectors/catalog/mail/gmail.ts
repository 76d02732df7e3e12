import { z } from 'zod'
import { type ConnectorDefinition, limit, tool } from '../../definition/definition.ts'
import { imagesOf, itemsAt, normalizedEvent, pathOf, textAt } from '../../definition/payload.ts'
import type {
  NormalizedEvent,
  ReceivedEvent,
  ReceiverDefinition,
  RegisteredEndpoint,
} from '../../definition/receiver.ts'
import { encodeSegment, from, valueAt } from '../../definition/template.ts'
import { GOOGLE_ERROR_FIELDS, googleOAuth } from '../google.ts'
import { htmlToText } from './html-text.ts'
import { encodeMail, isAutomatic, isMailbox, parseMailbox } from './rfc822.ts'

/** Gmail's maximum per response. */
const HISTORY_MAX = 500
const TEXT_MAX = 50_000
const DEPTH_MAX = 20
const API = '/gmail/v1/users/me'

export const gmailReceiver: ReceiverDefinition = {
  kind: 'mailbox',
  proof: { by: 'google-token', emailField: 'serviceAccount' },
  events: { 'gmail.mail': 'A mail in the inbox' },
  normalize,
  fetch: {
    // Lists the changes since the last notification, then reads each mail.
    request: ({ text, resource }, { historyId }) => {
      if (text !== null || !resource) return null
      if (resource.type === 'mail') {
        const path = `${API}/messages/${encodeSegment(resource.id)}`
        return { method: 'GET', path, query: { format: 'full' } }
      }
      const query = {
        startHistoryId: historyId ?? resource.id,
        historyTypes: 'messageAdded',
        labelId: 'INBOX',
        maxResults: HISTORY_MAX,
      }
      return { method: 'GET', path: `${API}/history`, query }
    },
    complete,
    // Gmail deletes changes after about a week.
    gone: ({ resource }) => ({
      events: [],
      ...(resource?.type === 'history' && { keep: { historyId: resource.id } }),
    }),
  },
  images: {
    download: (ref) => {
      const { path, input } = pathOf(ref)
      return { request: { method: 'GET', path: `${API}/messages${path}` }, input }
    },
    contentAt: 'data',
  },
  sessionKey: 'gmail:{thread}',
  reply: ({ replyTo: { to, subject, messageId, references, threadId } }, text) => ({
    method: 'POST',
    path: `${API}/messages/send`,
    json: {
      raw: encodeMail({
        to: [String(to)],
        subject: String(subject),
        text,
        inReplyTo: String(messageId),
        references: String(references),
        isAutomatic: true,
      }),
      threadId: threadId!,
    },
  }),
  setup: {
    by: 'api',
    register: (endpoint) => ({
      request: watch(endpoint),
      keep: (answer) => ({ historyId: textAt(answer, 'historyId') ?? '' }),
    }),
    update: (_, endpoint) => watch(endpoint),
    unregister: () => ({ method: 'POST', path: `${API}/stop` }),
    fields: [
      {
        key: 'topic',
        label: 'Pub/Sub topic',
        hint: 'In the OAuth client’s Google Cloud project, such as projects/my-project/topics/gmail',
        required: true,
        pattern: 'projects/[a-z0-9:.-]{4,64}/topics/[\\w.~+%-]{3,255}',
      },
      {
        key: 'serviceAccount',
        label: 'Push subscription service account',
        hint: 'The account’s email address. Atrium accepts notifications only from this account',
        required: true,
        pattern: '[\\w.-]+@[\\w.-]+\\.iam\\.gserviceaccount\\.com',
      },
    ],
    steps: [
      'Create a Pub/Sub topic in the OAuth client’s Google Cloud project, and give gmail-api-push@system.gserviceaccount.com the role Pub/Sub Publisher on it.',
      'Create a push subscription for the topic with the URL {url}, with authentication by a service account, and with {url} as audience.',
    ],
    // Ends after 7 days. Google recommends daily renewal.
    renewDays: 1,
  },
}

const watch = ({ config: { topic = '' } }: RegisteredEndpoint) =>
  ({
    method: 'POST',
    path: `${API}/watch`,
    json: { topicName: topic, labelIds: ['INBOX'], labelFilterBehavior: 'include' },
  }) as const

const readableMessage = (message: unknown) => ({
  id: textAt(message, 'id'),
  threadId: textAt(message, 'threadId'),
  messageId: findHeader(message, 'message-id'),
  from: findHeader(message, 'from'),
  to: findHeader(message, 'to'),
  cc: findHeader(message, 'cc'),
  subject: findHeader(message, 'subject'),
  date: findHeader(message, 'date'),
  labels: valueAt(message, 'labelIds'),
  text: messageText(message),
  attachments: partsOf(valueAt(message, 'payload'), 0).flatMap((part) => {
    const filename = textAt(part, 'filename')
    return filename ? [{ filename, type: textAt(part, 'mimeType'), size: valueAt(part, 'body.size') }] : []
  }),
})

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
  description: 'Search, read, draft and send mail in a Gmail account.',
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
        'Use it to find mail with Gmail’s search syntax: from:ada is:unread newer_than:7d. Returns threads with a snippet; read_thread returns the text.',
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
      description: 'Use it to read a thread’s mails: senders, subject, text and attachment names.',
      input: z.object({ threadId: mailId('Thread id') }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: `${API}/threads/{threadId}`, query: { format: 'full' } },
      answer: { map: (thread) => itemsAt(thread, 'messages').map(readableMessage) },
    }),
    tool({
      name: 'create_draft',
      description: 'Use it to prepare a mail that the user checks and sends. Nothing is sent.',
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
      input: z.object({ draftId: mailId('Draft id') }),
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

function normalize({ body, account }: ReceivedEvent): readonly NormalizedEvent[] {
  const externalId = textAt(body, 'message.messageId') ?? textAt(body, 'message.message_id')
  const data = jsonOf(textAt(body, 'message.data'))
  const historyId = textAt(data, 'historyId')
  if (externalId === null || historyId === null) return []
  // The topic may carry other accounts' notifications.
  if (textAt(data, 'emailAddress')?.toLowerCase() !== account.id?.toLowerCase()) return []
  return [
    normalizedEvent({
      eventKey: 'gmail.mail',
      externalId: `notification:${externalId}`,
      thread: 'inbox',
      resource: { type: 'history', id: historyId, url: null },
    }),
  ]
}

function jsonOf(data: string | null): unknown {
  try {
    return JSON.parse(Buffer.from(data ?? '', 'base64').toString('utf8'))
  } catch {
    return null
  }
}

function complete(event: NormalizedEvent, answer: unknown, { account }: Pick<ReceivedEvent, 'account'>) {
  if (event.resource?.type === 'mail') return { events: mailOf(event, answer, account.id) }
  const history = itemsAt(answer, 'history')
  const added = history.flatMap((entry) => itemsAt(entry, 'messagesAdded'))
  const ids = added.flatMap((each) => {
    const labels = itemsAt(each, 'message.labelIds')
    const isExcluded = labels.some((label) => ['SENT', 'DRAFT', 'SPAM', 'TRASH'].includes(String(label)))
    const id = textAt(each, 'message.id')
    return id === null || isExcluded ? [] : [id]
  })
  const mails = [...new Set(ids)].map((id) => ({
    ...event,
    externalId: `mail:${id}`,
    resource: { type: 'mail', id, url: null },
  }))
  const last = textAt(history.at(-1), 'id')
  // The response's `historyId` is the newest change overall, so continue after this page's last.
  if (textAt(answer, 'nextPageToken') !== null && last !== null)
    return { events: [...mails, { ...event, externalId: `history:${last}` }], keep: { historyId: last } }
  const historyId = textAt(answer, 'historyId')
  return { events: mails, ...(historyId !== null && { keep: { historyId } }) }
}

/** Two programs replying to each other would never stop. */
function mailOf(event: NormalizedEvent, message: unknown, account: string | null): NormalizedEvent[] {
  const header = (name: string) => findHeader(message, name)
  const sender = parseMailbox(header('from') ?? '')
  const replyTo = parseMailbox(header('reply-to') ?? '')
  const threadId = textAt(message, 'threadId')
  if (!sender || threadId === null || sender.email.toLowerCase() === account?.toLowerCase()) return []
  if (isAutomatic(header)) return []
  const subject = header('subject') ?? ''
  return [
    {
      ...event,
      actor: { id: sender.email, name: sender.name, isBot: false },
      text: `${subject}\n\n${messageText(message)}`.trim(),
      thread: threadId,
      resource: { type: 'message', id: event.resource!.id, url: null },
      replyTo: {
        to: (replyTo ?? sender).email,
        subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
        messageId: header('message-id') ?? '',
        references: header('references') ?? '',
        threadId,
      },
      ...imagesOf(
        partsOf(valueAt(message, 'payload'), 0).map((part) => ({
          ref: attachmentPath(event.resource!.id, textAt(part, 'body.attachmentId')),
          mimeType: textAt(part, 'mimeType'),
        })),
      ),
    },
  ]
}

const attachmentPath = (messageId: string, id: string | null): string | null =>
  id === null ? null : `/${encodeSegment(messageId)}/attachments/${encodeSegment(id)}`

export function findHeader(message: unknown, name: string): string | null {
  const header = itemsAt(message, 'payload.headers').find(
    (each) => textAt(each, 'name')?.toLowerCase() === name.toLowerCase(),
  )
  return textAt(header, 'value')
}

/** Falls back to the HTML's text. */
export function messageText(message: unknown): string {
  const parts = partsOf(valueAt(message, 'payload'), 0).filter((part) => !textAt(part, 'filename'))
  const content = (type: string) =>
    parts
      .filter((part) => textAt(part, 'mimeType') === type)
      .map((part) => Buffer.from(textAt(part, 'body.data') ?? '', 'base64url').toString('utf8'))
      .join('\n')
      .trim()
  const plain = content('text/plain')
  return (plain === '' ? htmlToText(content('text/html')) : plain.replaceAll('\r\n', '\n')).slice(0, TEXT_MAX)
}

function partsOf(part: unknown, depth: number): readonly unknown[] {
  if (depth > DEPTH_MAX) return []
  return [part, ...itemsAt(part, 'parts').flatMap((each) => partsOf(each, depth + 1))]
}
