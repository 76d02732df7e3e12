import { z } from 'zod'
import { dictionary } from '../../../../../../contract/dictionary.ts'
import { type ConnectorDefinition, id, limit, tool } from '../../definition/definition.ts'
import {
  imagesOf,
  itemsAt,
  lookup,
  normalizedEvent,
  pathOf as partsOfPath,
  textAt,
} from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { encodeSegment, from, valueAt } from '../../definition/template.ts'
import { htmlToText } from '../mail/html-text.ts'
import { announcesEnd, GRAPH, graphSubscription, microsoftAuth, TENANT } from '../microsoft.ts'

const SENT = ['id', 'webUrl', 'createdDateTime']

/** `teams('…')/channels('…')/messages('…')/replies('…')` */
const RESOURCE =
  /^\/?teams\('([^']+)'\)\/channels\('([^']+)'\)\/messages\('([^']+)'\)(?:\/replies\('([^']+)'\))?$/

const CHANGES: Record<string, NormalizedEvent['change']> = dictionary({
  created: 'created',
  updated: 'edited',
  deleted: 'deleted',
})

export const teamsReceiver: ReceiverDefinition = {
  kind: 'chat',
  proof: { by: 'body-field', path: 'value.*.clientState', secret: { from: 'generated' } },
  handshake: { by: 'query-echo', parameter: 'validationToken' },
  events: { 'microsoft-teams.message': 'A message or a reply in the channel' },
  response: { status: 202, contentType: 'text/plain', body: '' },
  normalize,
  announcesEnd,
  fetch: {
    request: (event) =>
      event.text === null && event.change !== 'deleted'
        ? { method: 'GET', path: pathOf(event.replyTo, event.replyTo.replyId) }
        : null,
    complete,
  },
  images: {
    download: (ref) => {
      const { path, input } = partsOfPath(ref)
      return { request: { method: 'GET', path: `${path}/$value` }, input }
    },
    isTypeInAnswer: true,
  },
  sessionKey: 'microsoft-teams:{thread}',
  reply: ({ replyTo }, text) => ({
    method: 'POST',
    path: `${pathOf(replyTo)}/replies`,
    json: { body: { contentType: 'text', content: text } },
  }),
  setup: graphSubscription({
    resource: ({ teamId = '', channelId = '' }) =>
      `/teams/${encodeSegment(teamId)}/channels/${encodeSegment(channelId)}/messages`,
    changeType: 'created,updated,deleted',
    fields: [
      {
        key: 'teamId',
        label: 'Team id',
        hint: '`groupId` in the link to the team',
        required: true,
        pattern: '[0-9a-fA-F-]{36}',
      },
      {
        key: 'channelId',
        label: 'Channel id',
        hint: 'In the link to the channel: 19:…@thread.tacv2',
        required: true,
        pattern: '19:[\\w-]+@thread\\.(tacv2|skype)',
      },
    ],
  }),
}

const pathOf = ({ teamId, channelId, messageId }: NormalizedEvent['replyTo'], replyId?: string | number) =>
  ['/teams', teamId, 'channels', channelId, 'messages', messageId, ...(replyId ? ['replies', replyId] : [])]
    .map((part, index) => (index === 0 ? part : encodeSegment(String(part))))
    .join('/')

const teamId = id('Team id from list_teams')

const channelId = id('Channel id from list_channels')

const text = z.string().min(1).max(20_000).describe('The message as plain text')

const body = { contentType: 'text', content: from('text') }

export const microsoftTeams: ConnectorDefinition = {
  slug: 'microsoft-teams',
  name: 'Microsoft Teams',
  description: 'Read channels and post messages in Microsoft Teams.',
  category: 'chat',
  docsUrl: 'https://learn.microsoft.com/graph/api/resources/teams-api-overview',
  checkedAt: '2026-11-16',
  config: [{ ...TENANT, default: 'organizations' }],
  auth: microsoftAuth([
    'User.Read',
    'Team.ReadBasic.All',
    'Channel.ReadBasic.All',
    'ChannelMessage.Read.All',
    'ChannelMessage.Send',
  ]),
  ...GRAPH,
  tools: [
    tool({
      name: 'list_teams',
      description: 'Use it to find a team’s id by name.',
      input: z.object({}),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/me/joinedTeams' },
      answer: { at: 'value', pick: ['id', 'displayName', 'description'] },
    }),
    tool({
      name: 'list_channels',
      description: 'Use it to find a channel id in a team by name.',
      input: z.object({ teamId }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/teams/{teamId}/channels' },
      answer: { at: 'value', pick: ['id', 'displayName', 'description', 'membershipType', 'webUrl'] },
    }),
    tool({
      name: 'read_channel',
      description:
        'Use it to read a channel’s newest messages, or with messageId the replies to one message, newest first.',
      input: z.object({
        teamId,
        channelId,
        messageId: id('A thread’s first message').optional(),
        limit: limit(50),
      }),
      effect: 'read',
      risk: 'none',
      request: ({ messageId }) => ({
        method: 'GET',
        path: `/teams/{teamId}/channels/{channelId}/messages${messageId === undefined ? '' : '/{messageId}/replies'}`,
        query: { $top: from('limit') },
      }),
      answer: {
        at: 'value',
        pick: ['id', 'replyToId', 'createdDateTime', 'subject', 'from.user', 'body.content', 'webUrl'],
      },
    }),
    tool({
      name: 'post_message',
      description: 'Use it to start a thread in a channel. Everyone in the channel can read it.',
      input: z.object({ teamId, channelId, text }),
      effect: 'once',
      risk: 'send',
      request: { method: 'POST', path: '/teams/{teamId}/channels/{channelId}/messages', json: { body } },
      answer: { pick: SENT },
    }),
    tool({
      name: 'reply',
      description: 'Use it to reply in a channel message’s thread.',
      input: z.object({ teamId, channelId, messageId: id('The thread’s first message'), text }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: '/teams/{teamId}/channels/{channelId}/messages/{messageId}/replies',
        json: { body },
      },
      answer: { pick: SENT },
    }),
  ],
  receiver: teamsReceiver,
}

/** Lifecycle notifications have no such resource. */
function normalize({ body }: ReceivedEvent): readonly NormalizedEvent[] {
  return itemsAt(body, 'value').flatMap((item) => {
    const parts = RESOURCE.exec(textAt(item, 'resource') ?? '')
    const change = lookup(CHANGES, textAt(item, 'changeType'))
    if (!parts || !change || textAt(item, 'lifecycleEvent') !== null) return []
    const [, teamId, channelId, messageId, replyId] = parts as unknown as string[]
    const id = `message:${channelId}:${messageId}${replyId === undefined ? '' : `:${replyId}`}`
    return [
      normalizedEvent({
        eventKey: 'microsoft-teams.message',
        // Graph numbers resource versions.
        externalId: change === 'created' ? id : `${id}:${change}:${etagOf(item)}`,
        change,
        targetId: change === 'created' ? null : id,
        thread: `${channelId}:${messageId}`,
        resource: { type: 'message', id: replyId ?? messageId!, url: null },
        replyTo: {
          teamId: teamId!,
          channelId: channelId!,
          messageId: messageId!,
          ...(replyId && { replyId }),
        },
      }),
    ]
  })
}

function etagOf(item: unknown): string {
  const data = valueAt(item, 'resourceData') as Record<string, unknown> | undefined
  const etag = data?.['@odata.etag']
  return typeof etag === 'string' ? etag : ''
}

function complete(event: NormalizedEvent, answer: unknown, { account }: Pick<ReceivedEvent, 'account'>) {
  const userId = textAt(answer, 'from.user.id')
  // A message without a user comes from an application or is a notice.
  if (userId === null || userId === account.id || textAt(answer, 'messageType') !== 'message')
    return { events: [] }
  const content = textAt(answer, 'body.content') ?? ''
  const isHtml = textAt(answer, 'body.contentType') === 'html'
  return {
    events: [
      {
        ...event,
        actor: { id: userId, name: textAt(answer, 'from.user.displayName'), isBot: false },
        text: isHtml ? htmlToText(content) : content,
        ...imagesOf(
          pastedImages(content).map((id) => ({
            ref: `${pathOf(event.replyTo, event.replyTo.replyId)}/hostedContents/${encodeSegment(id)}`,
            mimeType: 'image/png',
          })),
        ),
        resource: { type: 'message', id: event.resource!.id, url: textAt(answer, 'webUrl') },
      },
    ],
  }
}

/** Ids. The rest of the address is known, and could name another message. */
const pastedImages = (html: string): string[] => [
  ...new Set(
    [...html.matchAll(/<img\b[^<>]*?\bsrc="[^"]*\/hostedContents\/([\w=+-]{1,1000})\/\$value"/g)].map(
      ([, id]) => id!,
    ),
  ),
]
