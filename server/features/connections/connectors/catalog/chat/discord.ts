import { z } from 'zod'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { limit } from '../../definition/inputs.ts'
import { from } from '../../definition/request-template.ts'
import { discordReceiver } from './discord-receiver.ts'

const snowflake = (description: string) =>
  z
    .string()
    .regex(/^\d{15,25}$/)
    .describe(description)
const channelId = snowflake('The id of the channel or thread; list_channels returns it')
/** A message notifies the users that it names, and neither `@everyone` nor a role. */
const MENTIONS = { parse: ['users'] }

export const discord: ConnectorDefinition = {
  slug: 'discord',
  name: 'Discord',
  description: 'Read channels, post messages and open threads on Discord servers.',
  category: 'chat',
  docsUrl: 'https://discord.com/developers/docs/reference',
  checkedAt: '2026-11-16',
  availability: {
    value: 'beta',
    reason: 'Discord sends commands and buttons to endpoints, but no ordinary messages',
  },
  auth: {
    type: 'api_key',
    fields: [
      {
        key: 'token',
        label: 'Bot token',
        required: true,
        secret: true,
        hint: 'On the Bot page of the application at https://discord.com/developers/applications',
        pattern: '[\\w-]{20,40}\\.[\\w-]{4,10}\\.[\\w-]{20,60}',
      },
    ],
    send: { header: 'authorization', value: 'Bot {credentials.token}' },
  },
  baseUrl: 'https://discord.com/api/v10',
  headers: { 'user-agent': 'DiscordBot (https://discord.com/developers, 10)' },
  check: {
    request: { method: 'GET', path: '/users/@me' },
    account: { id: 'id', name: 'username' },
  },
  errorFields: { code: 'code', message: 'message' },
  tools: [
    tool({
      name: 'send_message',
      description:
        'Use it to post a message to a channel or a thread. Everyone in it can read it; only users who are mentioned are notified.',
      input: z.object({
        channelId,
        text: z.string().min(1).max(2000).describe('The message in Markdown'),
        replyTo: snowflake('The id of a message in the channel that it answers').optional(),
      }),
      effect: 'once',
      risk: 'send',
      request: ({ replyTo }) => ({
        method: 'POST',
        path: '/channels/{channelId}/messages',
        json: {
          content: from('text'),
          allowed_mentions: MENTIONS,
          ...(replyTo !== undefined && { message_reference: { message_id: replyTo } }),
        },
      }),
      answer: { pick: ['id', 'channel_id', 'timestamp'] },
    }),
    tool({
      name: 'read_channel',
      description: 'Use it to read the newest messages of a channel or a thread, newest first.',
      input: z.object({
        channelId,
        before: snowflake('Only messages before the one with this id').optional(),
        limit: limit(100),
      }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/channels/{channelId}/messages',
        query: { limit: from('limit'), before: from('before') },
      },
      answer: {
        pick: [
          'id',
          'content',
          'timestamp',
          'edited_timestamp',
          'author.id',
          'author.username',
          'author.bot',
          'attachments.filename',
          'attachments.url',
          'thread.id',
        ],
      },
    }),
    tool({
      name: 'list_servers',
      description: 'Use it to find the id of a server that the bot is a member of.',
      input: z.object({ limit: limit(200, 100) }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/users/@me/guilds', query: { limit: from('limit') } },
      answer: { pick: ['id', 'name'] },
    }),
    tool({
      name: 'list_channels',
      description: 'Use it to find the id of a channel of a server by its name. Type 0 is a text channel.',
      input: z.object({ serverId: snowflake('The id of the server; list_servers returns it') }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/guilds/{serverId}/channels' },
      answer: { pick: ['id', 'name', 'type', 'topic', 'parent_id'] },
    }),
    tool({
      name: 'create_thread',
      description:
        'Use it to open a thread in a channel, from one of its messages or without one. Members of the channel can see it.',
      input: z.object({
        channelId,
        messageId: snowflake('The message that the thread starts from').optional(),
        name: z.string().min(1).max(100),
      }),
      effect: 'once',
      risk: 'send',
      request: ({ messageId }) => ({
        method: 'POST',
        path: `/channels/{channelId}${messageId === undefined ? '' : '/messages/{messageId}'}/threads`,
        // Without a message, 11 is a public thread.
        json: { name: from('name'), ...(messageId === undefined && { type: 11 }) },
      }),
      answer: { pick: ['id', 'name', 'parent_id'] },
    }),
  ],
  receiver: discordReceiver,
}
