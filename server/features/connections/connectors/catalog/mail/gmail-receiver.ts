import { itemsAt, normalizedEvent, textAt } from '../../definition/payload.ts'
import type {
  NormalizedEvent,
  ReceivedEvent,
  ReceiverDefinition,
  RegisteredEndpoint,
} from '../../definition/receiver.ts'
import { encodeSegment } from '../../requests/template.ts'
import { headerOf, textOf } from './gmail-message.ts'
import { encodeMail } from './rfc822.ts'
import { isAutomatic, senderOf } from './sender.ts'

const API = '/gmail/v1/users/me'
/** The most changes that Gmail lists in one response. */
const HISTORY_MAX = 500

export const gmailReceiver: ReceiverDefinition = {
  kind: 'mailbox',
  proof: { by: 'google-token', emailField: 'serviceAccount' },
  events: { 'gmail.mail': 'A mail in the inbox' },
  normalize,
  fetch: {
    // A notification names the newest change; the changes since the last one are listed, then each mail is read.
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
    // Gmail deletes changes after about a week. The list continues from this notification.
    gone: ({ resource }) => ({
      events: [],
      ...(resource?.type === 'history' && { keep: { historyId: resource.id } }),
    }),
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
        hint: 'In the Google Cloud project of the OAuth client, such as projects/my-project/topics/gmail',
        required: true,
        pattern: 'projects/[a-z0-9:.-]{4,64}/topics/[\\w.~+%-]{3,255}',
      },
      {
        key: 'serviceAccount',
        label: 'Service account of the push subscription',
        hint: 'The email address of the account. Atrium accepts notifications from this account only',
        required: true,
        pattern: '[\\w.-]+@[\\w.-]+\\.iam\\.gserviceaccount\\.com',
      },
    ],
    steps: [
      'Create a Pub/Sub topic in the Google Cloud project of the OAuth client, and give gmail-api-push@system.gserviceaccount.com the role Pub/Sub Publisher on it.',
      'Create a push subscription of the topic with the URL {url}, with authentication by a service account, and with {url} as audience.',
    ],
    // A watch ends after 7 days; Google recommends renewing it daily.
    renewDays: 1,
  },
}

const watch = ({ config: { topic = '' } }: RegisteredEndpoint) =>
  ({
    method: 'POST',
    path: `${API}/watch`,
    json: { topicName: topic, labelIds: ['INBOX'], labelFilterBehavior: 'include' },
  }) as const

function normalize({ body, account }: ReceivedEvent): readonly NormalizedEvent[] {
  const externalId = textAt(body, 'message.messageId') ?? textAt(body, 'message.message_id')
  const data = jsonOf(textAt(body, 'message.data'))
  const historyId = textAt(data, 'historyId')
  if (externalId === null || historyId === null) return []
  // The topic may have notifications of other accounts.
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
  // More pages follow: the next request starts after the last change of this page. `historyId` of the response is
  // the newest change of all.
  if (textAt(answer, 'nextPageToken') !== null && last !== null)
    return { events: [...mails, { ...event, externalId: `history:${last}` }], keep: { historyId: last } }
  const historyId = textAt(answer, 'historyId')
  return { events: mails, ...(historyId !== null && { keep: { historyId } }) }
}

/** Automatic mail is ignored: two programs that reply to each other would never stop. */
function mailOf(event: NormalizedEvent, message: unknown, account: string | null): NormalizedEvent[] {
  const header = (name: string) => headerOf(message, name)
  const sender = senderOf(header('from') ?? '')
  const replyTo = senderOf(header('reply-to') ?? '')
  const threadId = textAt(message, 'threadId')
  if (!sender || threadId === null || sender.email.toLowerCase() === account?.toLowerCase()) return []
  if (isAutomatic(header)) return []
  const subject = header('subject') ?? ''
  return [
    {
      ...event,
      actor: { id: sender.email, name: sender.name, isBot: false },
      text: `${subject}\n\n${textOf(message)}`.trim(),
      thread: threadId,
      resource: { type: 'message', id: event.resource!.id, url: null },
      replyTo: {
        to: (replyTo ?? sender).email,
        subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
        messageId: header('message-id') ?? '',
        references: header('references') ?? '',
        threadId,
      },
    },
  ]
}
