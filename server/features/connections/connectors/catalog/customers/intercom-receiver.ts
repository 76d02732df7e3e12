import { INTERCOM } from '../../../../../signatures/provider-schemes.ts'
import { itemsAt, normalizedEvent } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { from } from '../../definition/request-template.ts'
import { displayTextAt, summary } from '../summary.ts'

const EVENTS = {
  'intercom.conversation.user.created': 'A customer started a conversation',
  'intercom.conversation.user.replied': 'A customer replied in a conversation',
  'intercom.conversation.admin.closed': 'A conversation was closed',
  'intercom.contact.user.created': 'A user was created',
  'intercom.contact.lead.created': 'A lead was created',
} as const

/** Messages are HTML with simple elements. */
const toPlainText = (html: string) =>
  html
    .replace(/<br ?\/?>|<\/p>/g, '\n')
    .replace(/<[^<>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .trim()

export const intercomReceiver: ReceiverDefinition = {
  kind: 'messaging',
  proof: { by: 'signature', schemes: [INTERCOM], secret: { from: 'client' } },
  handshake: { by: 'ignored', path: 'topic', equals: 'ping' },
  events: EVENTS,
  sessionKey: 'intercom:{thread}',
  normalize: ({ body, kept }) => {
    const [id, topic] = [displayTextAt(body, 'id'), displayTextAt(body, 'topic')]
    const eventKey = `intercom.${topic}`
    const item = (path: string) => displayTextAt(body, `data.item.${path}`)
    const itemId = item('id')
    // An app has one URL for all workspaces that use it.
    const isOwn = displayTextAt(body, 'app_id') === kept.workspaceId
    if (!isOwn || id === null || itemId === null || !Object.hasOwn(EVENTS, eventKey)) return []
    const isConversation = topic!.startsWith('conversation.')
    const part = itemsAt(body, 'data.item.conversation_parts.conversation_parts').at(-1)
    const message = topic === 'conversation.user.replied' ? displayTextAt(part, 'body') : item('source.body')
    const author = (name: string) =>
      (topic === 'conversation.user.replied' ? displayTextAt(part, `author.${name}`) : null) ??
      item(`source.author.${name}`)
    const isMessage = topic!.startsWith('conversation.user.') && message !== null
    return [
      normalizedEvent({
        eventKey,
        externalId: id,
        actor: isConversation
          ? { id: author('id'), name: author('name') ?? author('email'), isBot: author('type') === 'bot' }
          : { id: itemId, name: item('name') ?? item('email'), isBot: false },
        text: isMessage
          ? toPlainText(message)
          : summary(EVENTS[eventKey as keyof typeof EVENTS], {
              id: itemId,
              name: item('name'),
              email: item('email'),
            }),
        thread: isConversation ? itemId : `contact:${itemId}`,
        resource: { type: isConversation ? 'conversation' : 'contact', id: itemId, url: null },
        replyTo: isConversation ? { conversationId: itemId } : {},
      }),
    ]
  },
  reply: ({ replyTo: { conversationId } }, text) =>
    conversationId === undefined
      ? []
      : {
          method: 'POST',
          path: `/conversations/${encodeURIComponent(conversationId)}/reply`,
          json: { message_type: 'comment', type: 'admin', admin_id: from('account.id'), body: text },
        },
  setup: {
    by: 'hand',
    steps: [
      'In the Developer Hub of Intercom, open the app whose client this server uses, and then Webhooks.',
      'Set the endpoint URL to {url}.',
      'Choose the topics that the agent handles, such as conversation.user.created and conversation.user.replied.',
    ],
  },
}
