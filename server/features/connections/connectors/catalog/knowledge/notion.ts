import { z } from 'zod'
import { NOTION } from '../../../../../signatures/provider-schemes.ts'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { displayTextAt, itemsAt, normalizedEvent } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { from, valueAt } from '../../definition/template.ts'

const COMMENT_MAX = 2000

const EVENTS = {
  'notion.comment.created': 'A comment was added',
  'notion.page.created': 'A page was created',
  'notion.page.content_updated': 'A page’s content changed',
  'notion.page.properties_updated': 'A page’s properties changed',
  'notion.page.deleted': 'A page was moved to the trash',
} as const

export const notionReceiver: ReceiverDefinition = {
  kind: 'other',
  proof: {
    by: 'signature',
    schemes: [NOTION],
    secret: { from: 'handshake', path: 'verification_token' },
  },
  events: EVENTS,
  sessionKey: 'notion:{thread}',
  normalize: ({ body, kept }) => {
    const [id, type] = [displayTextAt(body, 'id'), displayTextAt(body, 'type')]
    const eventKey = `notion.${type}`
    // An integration has one subscription for all workspaces.
    const isOwn = displayTextAt(body, 'workspace_id') === kept.workspaceId
    const authors = itemsAt(body, 'authors')
    if (id === null || !isOwn || !Object.hasOwn(EVENTS, eventKey)) return []
    const entity = displayTextAt(body, 'entity.id') ?? id
    const isComment = displayTextAt(body, 'entity.type') === 'comment'
    const page = isComment
      ? (displayTextAt(body, 'data.page_id') ?? displayTextAt(body, 'data.parent.id') ?? entity)
      : entity
    return [
      normalizedEvent({
        eventKey,
        externalId: id,
        actor: {
          id: displayTextAt(authors[0], 'id'),
          name: null,
          isBot: authors.length > 0 && authors.every((author) => displayTextAt(author, 'type') === 'bot'),
        },
        text: eventKey === 'notion.page.deleted' ? EVENTS[eventKey] : null,
        thread: page,
        resource: {
          type: isComment ? 'comment' : 'page',
          id: entity,
          url: `https://www.notion.so/${page.replaceAll('-', '')}`,
        },
        replyTo: { pageId: page },
      }),
    ]
  },
  // Events contain only ids.
  fetch: {
    request: ({ text, resource }) => {
      if (text !== null || resource === null) return null
      const id = encodeURIComponent(resource.id)
      return resource.type === 'comment'
        ? { method: 'GET', path: `/v1/comments/${id}` }
        : { method: 'GET', path: `/v1/pages/${id}/markdown` }
    },
    complete: (event, answer) => {
      const discussionId = displayTextAt(answer, 'discussion_id')
      const comment = itemsAt(answer, 'rich_text').map((part) => displayTextAt(part, 'plain_text') ?? '')
      const text =
        event.resource?.type === 'comment'
          ? comment.join('')
          : [EVENTS[event.eventKey as keyof typeof EVENTS], displayTextAt(answer, 'markdown') ?? ''].join(
              '\n\n',
            )
      const replyTo = discussionId === null ? event.replyTo : { ...event.replyTo, discussionId }
      return { events: [{ ...event, text, replyTo }] }
    },
  },
  reply: ({ replyTo }, text) =>
    (text.match(new RegExp(`[\\s\\S]{1,${COMMENT_MAX}}`, 'g')) ?? []).map((content) => ({
      method: 'POST',
      path: '/v1/comments',
      json: {
        ...(replyTo.discussionId === undefined
          ? { parent: { page_id: replyTo.pageId! } }
          : { discussion_id: replyTo.discussionId }),
        rich_text: [{ type: 'text', text: { content } }],
      },
    })),
  setup: {
    by: 'hand',
    steps: [
      'In Notion, open Settings, Integrations and the integration whose client this server uses, then Webhooks.',
      'Create a subscription with the URL {url} and the events that the agent handles.',
      'Notion sends a verification token to this endpoint, which then shows it. Enter it in Notion under Verify.',
    ],
  },
}

const plainText = (parts: readonly unknown[]): string =>
  parts.map((part) => displayTextAt(part, 'plain_text') ?? '').join('')

const limit = z.int().min(1).max(100).default(20)

const id = (name: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i, 'must be a Notion id: 32 hexadecimal digits')
    .describe(name)

const pageId = id('Page id, as search returns it; the last 32 digits in its URL')

const markdown = z.string().min(1).max(100_000)

const CURSOR = { by: 'cursor', next: 'next_cursor', send: { body: 'start_cursor' } } as const

export const notion: ConnectorDefinition = {
  slug: 'notion',
  name: 'Notion',
  description: 'Search and read pages and databases, and write pages in Markdown.',
  category: 'knowledge',
  docsUrl: 'https://developers.notion.com/reference/intro',
  checkedAt: '2026-11-16',
  auth: {
    type: 'oauth',
    authorizeUrl: 'https://api.notion.com/v1/oauth/authorize',
    tokenUrl: 'https://api.notion.com/v1/oauth/token',
    revoke: { url: 'https://api.notion.com/v1/oauth/revoke', how: 'json', field: 'token' },
    registerUrl: 'https://www.notion.so/profile/integrations',
    // Capabilities are set where the client is registered.
    scopes: { default: [] },
    pkce: 'no',
    clientAuth: 'basic',
    tokenBody: 'json',
    params: { authorize: { owner: 'user' } },
    answer: { keep: { workspaceId: 'workspace_id' } },
    // No `expires_in`. A refresh returns a new pair.
    lifetime: { access: null, refresh: 'rotates' },
  },
  baseUrl: 'https://api.notion.com',
  headers: { 'notion-version': '2026-03-11' },
  check: {
    request: { method: 'GET', path: '/v1/users/me' },
    account: {
      id: 'id',
      name: 'bot.workspace_name',
      email: 'bot.owner.user.person.email',
      avatarUrl: 'avatar_url',
    },
  },
  errorFields: { code: 'code', message: 'message' },
  tools: [
    tool({
      name: 'search',
      description:
        'Use this to find pages and databases by words in their titles. It returns only those shared with the connection.',
      input: z.object({
        query: z.string().max(500).describe('Words in the title; empty lists everything, last edited first'),
        type: z.enum(['page', 'data_source']).optional().describe('data_source: database tables'),
        limit,
      }),
      effect: 'read',
      risk: 'none',
      request: ({ query, type, limit }) => ({
        method: 'POST',
        path: '/v1/search',
        json: {
          query,
          page_size: limit,
          ...(type && { filter: { property: 'object', value: type } }),
          ...(query === '' && { sort: { timestamp: 'last_edited_time', direction: 'descending' } }),
        },
      }),
      answer: {
        map: (answer) =>
          itemsAt(answer, 'results').map((item) => ({
            type: displayTextAt(item, 'object'),
            id: displayTextAt(item, 'id'),
            title: notionTitle(item),
            url: displayTextAt(item, 'url'),
            lastEdited: displayTextAt(item, 'last_edited_time'),
          })),
      },
      pages: CURSOR,
    }),
    tool({
      name: 'read_page',
      description: 'Use this to read a page’s content as Markdown.',
      input: z.object({ pageId }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/v1/pages/{pageId}/markdown' },
      answer: { pick: ['id', 'markdown', 'truncated'] },
    }),
    tool({
      name: 'query_database',
      description:
        'Use this to list a database’s rows with their properties. Each row is a page that read_page can read.',
      input: z.object({
        dataSourceId: id('Data source id, as search returns it'),
        filter: z
          .record(z.string(), z.unknown())
          .optional()
          .describe('A Notion filter object: {"property":"Status","status":{"equals":"Done"}}'),
        limit,
      }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'POST',
        path: '/v1/data_sources/{dataSourceId}/query',
        json: { filter: from('filter'), page_size: from('limit') },
      },
      answer: {
        map: (answer) =>
          itemsAt(answer, 'results').map((row) => ({
            id: displayTextAt(row, 'id'),
            url: displayTextAt(row, 'url'),
            lastEdited: displayTextAt(row, 'last_edited_time'),
            properties: plainProperties(row),
          })),
      },
      pages: CURSOR,
    }),
    tool({
      name: 'create_page',
      description: 'Use this to create a page below another page. Everyone who can see that page can see it.',
      input: z.object({
        parentPageId: pageId,
        title: z.string().min(1).max(500),
        markdown: markdown.optional().describe('The content'),
      }),
      effect: 'once',
      risk: 'send',
      request: ({ parentPageId, title, markdown }) => ({
        method: 'POST',
        path: '/v1/pages',
        json: {
          parent: { type: 'page_id', page_id: parentPageId },
          properties: { title: { title: [{ type: 'text', text: { content: title } }] } },
          ...(markdown !== undefined && { markdown }),
        },
      }),
      answer: { pick: ['id', 'url'] },
    }),
    tool({
      name: 'append_to_page',
      description: 'Use this to append content to a page. The existing content does not change.',
      input: z.object({ pageId, markdown }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'PATCH',
        path: '/v1/pages/{pageId}/markdown',
        json: {
          type: 'insert_content',
          insert_content: { content: from('markdown'), position: { type: 'end' } },
        },
      },
      answer: { pick: ['id', 'truncated'] },
    }),
    tool({
      name: 'comment',
      description: 'Use this to comment on a page. Followers are notified.',
      input: z.object({ pageId, text: z.string().min(1).max(2000) }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: '/v1/comments',
        json: { parent: { page_id: from('pageId') }, markdown: from('text') },
      },
      answer: { pick: ['id', 'discussion_id'] },
    }),
  ],
  receiver: notionReceiver,
}

/** A page's title is one of its properties. */
function notionTitle(item: unknown): string {
  const databaseTitle = plainText(itemsAt(item, 'title'))
  if (databaseTitle !== '') return databaseTitle
  const properties = Object.values((valueAt(item, 'properties') ?? {}) as Record<string, unknown>)
  return plainText(
    itemsAt(
      properties.find((each) => displayTextAt(each, 'type') === 'title'),
      'title',
    ),
  )
}

function plainProperties(row: unknown): Record<string, unknown> {
  const properties = Object.entries((valueAt(row, 'properties') ?? {}) as Record<string, unknown>)
  const values = properties.map(([name, property]) => [name, plainValue(property)] as const)
  return Object.fromEntries(
    values.filter(([, value]) => value !== null && value !== undefined && value !== ''),
  )
}

function plainValue(property: unknown): unknown {
  const type = displayTextAt(property, 'type') ?? ''
  const value = valueAt(property, type)
  switch (type) {
    case 'title':
    case 'rich_text':
      return plainText(itemsAt(property, type))
    case 'select':
    case 'status':
      return displayTextAt(value, 'name')
    case 'multi_select':
    case 'people':
      return itemsAt(property, type).map((each) => displayTextAt(each, 'name') ?? displayTextAt(each, 'id'))
    case 'relation':
      return itemsAt(property, type).map((each) => displayTextAt(each, 'id'))
    case 'date':
      return [displayTextAt(value, 'start'), displayTextAt(value, 'end')].filter(Boolean).join(' to ')
    case 'formula':
    case 'rollup':
      return valueAt(value, displayTextAt(value, 'type') ?? '')
    case 'unique_id':
      return [displayTextAt(value, 'prefix'), displayTextAt(value, 'number')].filter(Boolean).join('-')
    default:
      return typeof value === 'object' ? null : value
  }
}
