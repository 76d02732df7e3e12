import { z } from 'zod'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { id, limit } from '../../definition/inputs.ts'
import { from } from '../../definition/request-template.ts'
import { GRAPH, microsoftAuth, TENANT } from '../mail/microsoft.ts'
import { teamsReceiver } from './microsoft-teams-receiver.ts'

const teamId = id('The id of the team; list_teams returns it')
const channelId = id('The id of the channel; list_channels returns it')
const text = z.string().min(1).max(20_000).describe('The message as plain text')
const body = { contentType: 'text', content: from('text') }
const SENT = ['id', 'webUrl', 'createdDateTime']

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
      description: 'Use it to find the id of a team by its name.',
      input: z.object({}),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/me/joinedTeams' },
      answer: { at: 'value', pick: ['id', 'displayName', 'description'] },
    }),
    tool({
      name: 'list_channels',
      description: 'Use it to find the id of a channel of a team by its name.',
      input: z.object({ teamId }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/teams/{teamId}/channels' },
      answer: { at: 'value', pick: ['id', 'displayName', 'description', 'membershipType', 'webUrl'] },
    }),
    tool({
      name: 'read_channel',
      description:
        'Use it to read the newest messages of a channel, or with messageId the replies to one message, newest first.',
      input: z.object({
        teamId,
        channelId,
        messageId: id('The first message of a thread').optional(),
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
      description: 'Use it to answer in the thread of a message of a channel.',
      input: z.object({ teamId, channelId, messageId: id('The first message of the thread'), text }),
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
