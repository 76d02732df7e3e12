import { z } from 'zod'
import { INTERCOM } from '../../../../../signatures/provider-schemes.ts'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { displayTextAt, itemsAt, normalizedEvent, summary } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { from } from '../../definition/template.ts'

const EVENTS = {
  'intercom.conversation.user.created': 'A customer started a conversation',
  'intercom.conversation.user.replied': 'A customer replied in a conversation',
  'intercom.conversation.admin.closed': 'A conversation was closed',
  'intercom.contact.user.created': 'A user was created',
  'intercom.contact.lead.created': 'A lead was created',
} as const

/** Messages are simple HTML. */
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
    // An app has one URL for all workspaces.
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
      'In Intercom’s Developer Hub, open the app whose client this server uses, then Webhooks.',
      'Set the endpoint URL to {url}.',
      'Choose the topics that the agent handles, such as conversation.user.created and conversation.user.replied.',
    ],
  },
}

const limit = z.int().min(1).max(150).default(20)

const conversationId = z.string().regex(/^\d{1,30}$/, 'must be a conversation id: digits')

const text = z.string().min(1).max(50_000)

const CURSOR = {
  by: 'cursor',
  next: 'pages.next.starting_after',
  send: { body: 'pagination.starting_after' },
} as const

export const intercom: ConnectorDefinition = {
  slug: 'intercom',
  name: 'Intercom',
  description: 'Find contacts and conversations, reply to customers and add notes.',
  category: 'customers',
  docsUrl: 'https://developers.intercom.com/docs/references/introduction',
  checkedAt: '2026-11-16',
  config: [
    {
      key: 'region',
      label: 'Region',
      required: false,
      hint: 'eu for app.eu.intercom.com, au for app.au.intercom.com, otherwise us.',
      pattern: 'us|eu|au',
      default: 'us',
    },
  ],
  auth: {
    type: 'oauth',
    authorizeUrl: 'https://app.intercom.com/oauth',
    tokenUrl: 'https://api.intercom.io/auth/eagle/token',
    registerUrl: 'https://app.intercom.com/a/apps/_/developer-hub',
    // Permissions are set where the client is registered.
    scopes: { default: [] },
    pkce: 'no',
    lifetime: { access: null, refresh: 'none' },
  },
  baseUrl: ({ region }) =>
    region === 'eu' || region === 'au' ? `https://api.${region}.intercom.io` : 'https://api.intercom.io',
  headers: { 'intercom-version': '2.14' },
  check: {
    request: { method: 'GET', path: '/me' },
    account: { id: 'id', name: 'name', email: 'email', avatarUrl: 'avatar.image_url' },
  },
  // The workspace isn't the user's account.
  discover: {
    request: { method: 'GET', path: '/me' },
    keep: (answer) => ({
      workspaceId: String((answer as { app?: { id_code?: string } } | null)?.app?.id_code ?? ''),
    }),
  },
  errorFields: { code: 'errors.0.code', message: 'errors.0.message' },
  tools: [
    tool({
      name: 'search_contacts',
      description: 'Use this to find users and leads by email address, name or phone number.',
      input: z.object({
        field: z.enum(['email', 'name', 'phone', 'external_id']).default('email'),
        value: z.string().min(1).max(320),
        limit,
      }),
      effect: 'read',
      risk: 'none',
      request: ({ field, value, limit }) => ({
        method: 'POST',
        path: '/contacts/search',
        json: {
          query: { field, operator: field === 'name' ? '~' : '=', value },
          pagination: { per_page: limit },
        },
      }),
      answer: {
        at: 'data',
        pick: ['id', 'role', 'name', 'email', 'phone', 'external_id', 'created_at', 'last_seen_at'],
      },
      pages: CURSOR,
    }),
    tool({
      name: 'search_conversations',
      description: 'Use this to find conversations: the open ones, or a contact’s.',
      input: z.object({
        state: z.enum(['open', 'closed', 'snoozed']).default('open'),
        contactId: z.string().max(100).optional(),
        limit,
      }),
      effect: 'read',
      risk: 'none',
      request: ({ state, contactId, limit }) => ({
        method: 'POST',
        path: '/conversations/search',
        json: {
          query: {
            operator: 'AND',
            value: [
              { field: 'state', operator: '=', value: state },
              ...(contactId === undefined ? [] : [{ field: 'contact_ids', operator: '=', value: contactId }]),
            ],
          },
          pagination: { per_page: limit },
        },
      }),
      answer: {
        at: 'conversations',
        pick: ['id', 'title', 'state', 'source.subject', 'source.author', 'admin_assignee_id', 'updated_at'],
      },
      pages: CURSOR,
    }),
    tool({
      name: 'get_conversation',
      description: 'Use this to read a conversation with its messages and notes as text.',
      input: z.object({ conversationId }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/conversations/{conversationId}',
        query: { display_as: 'plaintext' },
      },
      answer: {
        pick: [
          'id',
          'title',
          'state',
          'created_at',
          'source.subject',
          'source.body',
          'source.author.name',
          'source.author.email',
          'conversation_parts.conversation_parts.part_type',
          'conversation_parts.conversation_parts.body',
          'conversation_parts.conversation_parts.author.name',
          'conversation_parts.conversation_parts.author.type',
          'conversation_parts.conversation_parts.created_at',
        ],
      },
    }),
    tool({
      name: 'reply',
      description: 'Use this to answer the customer in a conversation.',
      input: z.object({ conversationId, text }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: '/conversations/{conversationId}/reply',
        json: { message_type: 'comment', type: 'admin', admin_id: from('account.id'), body: from('text') },
      },
      answer: { pick: ['id', 'state', 'updated_at'] },
    }),
    tool({
      name: 'add_note',
      description: 'Use this to add a note to a conversation that only colleagues see.',
      input: z.object({ conversationId, text }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: '/conversations/{conversationId}/reply',
        json: { message_type: 'note', type: 'admin', admin_id: from('account.id'), body: from('text') },
      },
      answer: { pick: ['id', 'state', 'updated_at'] },
    }),
  ],
  receiver: intercomReceiver,
}
