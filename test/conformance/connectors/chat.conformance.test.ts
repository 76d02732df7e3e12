import type { Channel, ChatMessage, Team } from '@microsoft/microsoft-graph-types'
import type {
  RESTPostAPIChannelMessageJSONBody,
  RESTPostAPIChannelMessagesThreadsJSONBody,
} from 'discord-api-types/v10'
import { expect, test } from 'vitest'
import { discord } from '../../../server/features/connections/connectors/catalog/chat/discord.ts'
import { microsoftTeams } from '../../../server/features/connections/connectors/catalog/chat/microsoft-teams.ts'
import { slack } from '../../../server/features/connections/connectors/catalog/chat/slack.ts'
import {
  expectSameRequests,
  failure,
  type ToolCase,
} from '../../../server/features/connections/connectors/catalog/testing/compare-tools.ts'
import {
  createTarget,
  sentRequest,
} from '../../../server/features/connections/connectors/catalog/testing/tool-request.ts'

const slackClient = async (url: string) => {
  const { WebClient } = await import('@slack/web-api')
  return new WebClient('token', { slackApiUrl: `${url}/api/`, retryConfig: { retries: 0 } })
}
const TS = '1700000000.000100'

const SLACK: ToolCase[] = [
  [
    'send_message',
    { channel: 'C1', text: '**Hi** {text} & you' },
    async (url) =>
      (await slackClient(url)).chat.postMessage({ channel: 'C1', markdown_text: '**Hi** {text} & you' }),
  ],
  [
    'reply_in_thread',
    { channel: 'C1', threadTs: TS, text: 'Hi' },
    async (url) =>
      (await slackClient(url)).chat.postMessage({ channel: 'C1', thread_ts: TS, markdown_text: 'Hi' }),
  ],
  [
    'read_channel',
    { channel: 'C1' },
    async (url) => (await slackClient(url)).conversations.history({ channel: 'C1', limit: 20 }),
  ],
  [
    'read_channel',
    { channel: 'C1', threadTs: TS, limit: 5 },
    async (url) => (await slackClient(url)).conversations.replies({ channel: 'C1', ts: TS, limit: 5 }),
  ],
  [
    'list_channels',
    {},
    async (url) =>
      (await slackClient(url)).conversations.list({
        limit: 200,
        exclude_archived: true,
        types: 'public_channel,private_channel',
      }),
  ],
  [
    'find_user',
    { email: 'ada@example.com' },
    async (url) => (await slackClient(url)).users.lookupByEmail({ email: 'ada@example.com' }),
  ],
  [
    'add_reaction',
    { channel: 'C1', ts: TS, emoji: '+1' },
    async (url) => (await slackClient(url)).reactions.add({ channel: 'C1', timestamp: TS, name: '+1' }),
  ],
]

const CHANNEL = '123456789012345678'
const MESSAGE = '223456789012345678'
const routes = (await import('discord-api-types/v10')).Routes
const discordPath = (path: string) => `/api/v10${path}`
const DISCORD: ToolCase[] = [
  [
    'send_message',
    { channelId: CHANNEL, text: 'Hi', replyTo: MESSAGE },
    {
      method: 'POST',
      path: discordPath(routes.channelMessages(CHANNEL)),
      query: {},
      body: {
        content: 'Hi',
        allowed_mentions: { parse: ['users' as never] },
        message_reference: { message_id: MESSAGE },
      } satisfies RESTPostAPIChannelMessageJSONBody,
    },
  ],
  [
    'read_channel',
    { channelId: CHANNEL, before: MESSAGE, limit: 5 },
    {
      method: 'GET',
      path: discordPath(routes.channelMessages(CHANNEL)),
      query: { before: MESSAGE, limit: '5' },
      body: null,
    },
  ],
  [
    'list_servers',
    {},
    { method: 'GET', path: discordPath(routes.userGuilds()), query: { limit: '100' }, body: null },
  ],
  [
    'list_channels',
    { serverId: CHANNEL },
    { method: 'GET', path: discordPath(routes.guildChannels(CHANNEL)), query: {}, body: null },
  ],
  [
    'create_thread',
    { channelId: CHANNEL, messageId: MESSAGE, name: 'Help' },
    {
      method: 'POST',
      path: discordPath(routes.threads(CHANNEL, MESSAGE)),
      query: {},
      body: { name: 'Help' } satisfies RESTPostAPIChannelMessagesThreadsJSONBody,
    },
  ],
  [
    'create_thread',
    { channelId: CHANNEL, name: 'Help' },
    {
      method: 'POST',
      path: discordPath(routes.threads(CHANNEL)),
      query: {},
      body: { name: 'Help', type: 11 },
    },
  ],
]

/** From the reference of Graph; the types of Microsoft check the names of the fields. */
const teams = '/v1.0/teams/t%201/channels/19%3Aa%40thread.tacv2/messages'
const inChannel = { teamId: 't 1', channelId: '19:a@thread.tacv2' }
const content = { body: { contentType: 'text', content: 'Hi' } } satisfies ChatMessage
const TEAMS: ToolCase[] = [
  ['list_teams', {}, { method: 'GET', path: '/v1.0/me/joinedTeams', query: {}, body: null }],
  [
    'list_channels',
    { teamId: 't1' },
    { method: 'GET', path: '/v1.0/teams/t1/channels', query: {}, body: null },
  ],
  ['read_channel', inChannel, { method: 'GET', path: teams, query: { $top: '20' }, body: null }],
  [
    'read_channel',
    { ...inChannel, messageId: 'm/1', limit: 5 },
    { method: 'GET', path: `${teams}/m%2F1/replies`, query: { $top: '5' }, body: null },
  ],
  ['post_message', { ...inChannel, text: 'Hi' }, { method: 'POST', path: teams, query: {}, body: content }],
  [
    'reply',
    { ...inChannel, messageId: '1', text: 'Hi' },
    { method: 'POST', path: `${teams}/1/replies`, query: {}, body: content },
  ],
]

const teamsTarget = createTarget(microsoftTeams, { config: { tenant: 'organizations' } })

test.each([
  ['slack', createTarget(slack), SLACK],
  ['discord', createTarget(discord), DISCORD],
  ['microsoft-teams', teamsTarget, TEAMS],
])("%s: every tool makes the vendor's documented request", (_, target, cases) =>
  expectSameRequests(target, cases),
)

test('answers name fields in the Microsoft Graph types', () => {
  const picks = Object.fromEntries(microsoftTeams.tools.map(({ name, answer }) => [name, answer?.pick ?? []]))
  const message: (keyof ChatMessage)[] = [
    'id',
    'replyToId',
    'createdDateTime',
    'subject',
    'from',
    'body',
    'webUrl',
  ]
  const channel: (keyof Channel)[] = ['id', 'displayName', 'description', 'membershipType', 'webUrl']
  const team: (keyof Team)[] = ['id', 'displayName', 'description']
  const roots = (name: string) => picks[name]!.map((path) => path.split('.')[0])
  for (const name of ['read_channel', 'post_message', 'reply'])
    expect(message).toEqual(expect.arrayContaining(roots(name)))
  expect(channel).toEqual(expect.arrayContaining(roots('list_channels')))
  expect(team).toEqual(expect.arrayContaining(roots('list_teams')))
})

test('credentials are sent as each provider expects', async () => {
  const header = async (target: typeof teamsTarget) =>
    (await sentRequest(target, target.definition.check.request)).headers.authorization
  expect(await header(createTarget(slack))).toBe('Bearer token')
  expect(await header(createTarget(discord))).toBe('Bot token')
})

test("failures are classified by the provider's response, even with status 200", () => {
  expect(failure(slack, 200, { ok: true, channels: [] })).toBeNull()
  expect(failure(slack, 200, { ok: false, error: 'token_revoked' })?.means).toBe('revoked')
  expect(failure(slack, 200, { ok: false, error: 'ratelimited' })?.means).toBe('slow_down')
  expect(failure(slack, 200, { ok: false, error: 'not_in_channel' })?.message).toContain('invite it')
  const other = failure(slack, 200, { ok: false, error: 'no_text' })
  expect(other).toMatchObject({ means: 'invalid', code: 'no_text' })
  const expired = { error: { code: 'InvalidAuthenticationToken' } }
  expect(failure(microsoftTeams, 401, expired)?.means).toBe('expired')
})
