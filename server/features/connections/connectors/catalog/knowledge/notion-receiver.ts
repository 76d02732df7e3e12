import { NOTION } from '../../../../../signatures/provider-schemes.ts'
import { itemsAt, normalizedEvent } from '../../definition/payload.ts'
import type { ReceiverDefinition } from '../../definition/receiver.ts'
import { displayTextAt } from '../summary.ts'

const EVENTS = {
  'notion.comment.created': 'A comment was added',
  'notion.page.created': 'A page was created',
  'notion.page.content_updated': 'The content of a page changed',
  'notion.page.properties_updated': 'Properties of a page changed',
  'notion.page.deleted': 'A page was moved to the trash',
} as const

const COMMENT_MAX = 2000

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
    // An integration has one subscription for all workspaces that use it.
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
  // Events contain ids only.
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
      'In Notion, open Settings, Integrations and the integration whose client this server uses, and then Webhooks.',
      'Create a subscription with the URL {url} and the events that the agent handles.',
      'Notion sends a verification token to this endpoint, which then shows it. Enter it in Notion under Verify.',
    ],
  },
}
