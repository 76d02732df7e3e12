import { z } from 'zod'
import { dictionary } from '../../../../../../contract/dictionary.ts'
import { DISCORD } from '../../../../../signatures/signature-schemes.ts'
import { type ConnectorDefinition, limit, tool } from '../../definition/definition.ts'
import {
  imagesOf,
  itemsAt,
  lookup,
  normalizedEvent,
  publicRequestForUrl,
  textAt,
} from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { splitText } from '../../definition/split-text.ts'
import { encodeSegment, from, valueAt } from '../../definition/template.ts'

const TEXT_MAX = 2000

const KEYS: Record<string, string> = dictionary({
  2: 'discord.command',
  3: 'discord.component',
  5: 'discord.form',
})

export const discordReceiver: ReceiverDefinition = {
  kind: 'chat',
  proof: {
    by: 'signature',
    schemes: [DISCORD],
    secret: {
      from: 'entered',
      label: 'Public key',
      hint: 'On the application’s General Information page',
    },
  },
  handshake: { by: 'body-type', path: 'type', equals: 1, respond: { type: 1 } },
  events: {
    'discord.command': 'An application command',
    'discord.component': 'A button or menu in an application message',
    'discord.form': 'A form that a member submitted',
  },
  // Shows "thinking" until the reply, which Discord accepts for 15 minutes.
  response: { status: 200, contentType: 'application/json', body: '{"type":5}' },
  normalize,
  images: { download: publicRequestForUrl },
  sessionKey: 'discord:{thread}',
  reply: ({ replyTo: { applicationId, token } }, text) => {
    const path = `/webhooks/${encodeSegment(String(applicationId))}/${encodeSegment(String(token))}`
    return splitText(text, TEXT_MAX).map((content, index) => ({
      method: index === 0 ? 'PATCH' : 'POST',
      path: index === 0 ? `${path}/messages/@original` : path,
      json: { content, allowed_mentions: { parse: [] } },
    }))
  },
  setup: {
    by: 'hand',
    steps: [
      'Open the application at https://discord.com/developers/applications, copy its public key, and enter it here.',
      'Enter {url} as Interactions Endpoint URL on the General Information page. Discord checks it when you save.',
      'Create a command with one text option, such as /ask, for example with Discord’s API. Give it an attachment option too if members should send images.',
    ],
  },
}

const snowflake = (description: string) =>
  z
    .string()
    .regex(/^\d{15,25}$/)
    .describe(description)

const channelId = snowflake('Channel or thread id from list_channels')

/** Never `@everyone` or a role. */
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
    reason: 'Discord sends endpoints commands and button clicks, but not regular messages.',
  },
  auth: {
    type: 'api_key',
    fields: [
      {
        key: 'token',
        label: 'Bot token',
        required: true,
        secret: true,
        hint: 'On the application’s Bot page at https://discord.com/developers/applications',
        pattern: '[\\w-]{20,40}\\.[\\w-]{4,10}\\.[\\w-]{20,60}',
      },
    ],
    send: { header: 'authorization', value: 'Bot {credentials.token}' },
  },
  baseUrl: 'https://discord.com/api/v10',
  // Of attachments.
  hosts: ['cdn.discordapp.com', 'media.discordapp.net'],
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
        'Use it to post a message to a channel or a thread. Everyone in it can read it; only mentioned users are notified.',
      input: z.object({
        channelId,
        text: z.string().min(1).max(2000).describe('The message in Markdown'),
        replyTo: snowflake('Id of the channel message it replies to').optional(),
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
      description: 'Use it to read the newest messages in a channel or thread, newest first.',
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
      description: 'Use it to find the id of a server the bot has joined.',
      input: z.object({ limit: limit(200, 100) }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/users/@me/guilds', query: { limit: from('limit') } },
      answer: { pick: ['id', 'name'] },
    }),
    tool({
      name: 'list_channels',
      description: 'Use it to find a channel id on a server by name. Type 0 is a text channel.',
      input: z.object({ serverId: snowflake('Server id from list_servers') }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/guilds/{serverId}/channels' },
      answer: { pick: ['id', 'name', 'type', 'topic', 'parent_id'] },
    }),
    tool({
      name: 'create_thread',
      description:
        'Use it to open a thread in a channel, from one of its messages or without one. Channel members can see it.',
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

function normalize({ body }: ReceivedEvent): readonly NormalizedEvent[] {
  const eventKey = lookup(KEYS, textAt(body, 'type'))
  const [id, token, applicationId] = [
    textAt(body, 'id'),
    textAt(body, 'token'),
    textAt(body, 'application_id'),
  ]
  const channel = textAt(body, 'channel_id') ?? textAt(body, 'channel.id')
  if (!eventKey || id === null || token === null || applicationId === null || channel === null) return []
  const user = valueAt(body, 'member.user') ?? valueAt(body, 'user')
  return [
    normalizedEvent({
      eventKey,
      externalId: id,
      actor: {
        id: textAt(user, 'id'),
        name: textAt(user, 'global_name') ?? textAt(user, 'username'),
        isBot: valueAt(user, 'bot') === true,
      },
      text: contentOf(valueAt(body, 'data')),
      thread: channel,
      resource: { type: 'interaction', id, url: null },
      replyTo: { applicationId, token },
      ...imagesOf(
        attachmentsOf(valueAt(body, 'data.resolved')).map((attachment) => ({
          ref: textAt(attachment, 'url'),
          mimeType: textAt(attachment, 'content_type'),
        })),
      ),
    }),
  ]
}

/** Of an option, or of the message that a command was used on. */
function attachmentsOf(resolved: unknown): readonly unknown[] {
  const valuesAt = (path: string): unknown[] => Object.values(valueAt(resolved, path) ?? {})
  return [
    ...valuesAt('attachments'),
    ...valuesAt('messages').flatMap((message) => itemsAt(message, 'attachments')),
  ]
}

/** Several options are shown with names. */
function contentOf(data: unknown): string {
  const values = [...fieldsOf(data), ...itemsAt(data, 'values').map((value) => ['', String(value)] as const)]
  const name = textAt(data, 'name') ?? textAt(data, 'custom_id') ?? ''
  if (values.length === 0) return name
  if (values.length === 1) return values[0]![1]
  return [`/${name}`, ...values.map(([key, value]) => (key === '' ? value : `${key}: ${value}`))].join('\n')
}

function fieldsOf(node: unknown): (readonly [name: string, value: string])[] {
  return [...itemsAt(node, 'options'), ...itemsAt(node, 'components')].flatMap((item) => {
    const value = valueAt(item, 'value')
    const isPlain = ['string', 'number', 'boolean'].includes(typeof value)
    const name = textAt(item, 'name') ?? textAt(item, 'custom_id') ?? ''
    return isPlain ? [[name, String(value)] as const] : fieldsOf(item)
  })
}
