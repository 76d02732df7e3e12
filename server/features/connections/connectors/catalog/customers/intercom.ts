import { z } from 'zod'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { from } from '../../definition/request-template.ts'
import { intercomReceiver } from './intercom-receiver.ts'

const limit = z.int().min(1).max(150).default(20)
const conversationId = z.string().regex(/^\d{1,30}$/, 'must be the id of a conversation: digits')
const text = z.string().min(1).max(50_000)
const CURSOR = {
  by: 'cursor',
  next: 'pages.next.starting_after',
  send: { body: 'pagination.starting_after' },
} as const

export const intercom: ConnectorDefinition = {
  slug: 'intercom',
  name: 'Intercom',
  description: 'Finds contacts and conversations, replies to customers and adds notes.',
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
    // The permissions are set where the client is registered.
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
  // Events name the workspace, which is not the account of the person.
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
      description: 'Use this to find conversations: the open ones, or those of a contact.',
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
