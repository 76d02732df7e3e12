import { z } from 'zod'
import { acceptedSchemes } from '../../../../../signatures/signature-schemes.ts'
import { type ConnectorDefinition, id, limit, tool } from '../../definition/definition.ts'
import { imagesOf, itemsAt, normalizedEvent, requestForUrl, textAt } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { splitText } from '../../definition/split-text.ts'
import { from, valueAt } from '../../definition/template.ts'

/** Slack refuses longer `markdown_text`. */
const TEXT_MAX = 12_000
const MESSAGE = ['ts', 'user', 'bot_id', 'text', 'thread_ts', 'reply_count']

/** Edits and deletions are handled separately. Others are notices such as "joined the channel". */
const NEW_MESSAGE_SUBTYPES = new Set([null, 'file_share', 'me_message', 'thread_broadcast'])

export const slackReceiver: ReceiverDefinition = {
  kind: 'chat',
  proof: {
    by: 'signature',
    schemes: acceptedSchemes('slack'),
    secret: {
      from: 'entered',
      label: 'Signing secret',
      hint: 'On the Slack app’s Basic Information page, under App Credentials',
    },
  },
  events: {
    'slack.message': 'A message in one of the app’s channels, or a direct message to it',
    'slack.mention': 'A message that mentions the app',
  },
  normalize,
  sessionKey: 'slack:{thread}',
  reply: ({ replyTo }, text) =>
    splitText(text, TEXT_MAX).map((part) => ({
      method: 'POST',
      path: '/chat.postMessage',
      form: { ...replyTo, markdown_text: part },
    })),
  typing: ({ replyTo: { channel, thread_ts } }) =>
    thread_ts === undefined
      ? null
      : {
          method: 'POST',
          path: '/assistant.threads.setStatus',
          form: { channel_id: channel!, thread_ts, status: 'is thinking…' },
        },
  images: { download: requestForUrl },
  setup: {
    by: 'hand',
    steps: [
      'Open https://api.slack.com/apps and choose Create New App, From a manifest, or open this connection’s app and its App Manifest page.',
      'Paste the manifest below. It contains the URL {url}, which Slack checks when the manifest is saved.',
      'Install the app to the workspace, and enter its signing secret here.',
      'Invite the app to the channels that it should read.',
    ],
    paste: {
      label: 'App manifest (YAML)',
      text: `display_information:
  name: Atrium
features:
  bot_user:
    display_name: Atrium
    always_online: true
oauth_config:
  scopes:
    bot:
      - app_mentions:read
      - channels:history
      - channels:read
      - chat:write
      - files:read
      - groups:history
      - groups:read
      - im:history
      - reactions:write
      - users:read
      - users:read.email
settings:
  event_subscriptions:
    request_url: {url}
    bot_events:
      - app_mention
      - message.channels
      - message.groups
      - message.im
  org_deploy_enabled: false
  socket_mode_enabled: false
  token_rotation_enabled: false
`,
    },
  },
}

/** Two bots answering each other would never stop. */
const isBot = (content: unknown, botId: string | null): boolean =>
  textAt(content, 'bot_id') !== null || textAt(content, 'user') === null || textAt(content, 'user') === botId

const idOf = (channel: string, ts: string) => `message:${channel}:${ts}`

const channel = id('Channel id from list_channels, such as C0123456789')

const text = z.string().min(1).max(12_000).describe('The message in Markdown')

const timestamp = z
  .string()
  .regex(/^\d{1,12}\.\d{6}$/)
  .describe('`ts` of the message, such as 1700000000.000100')

export const slack: ConnectorDefinition = {
  slug: 'slack',
  name: 'Slack',
  description: 'Read channels, post messages and reply in threads in a Slack workspace.',
  category: 'chat',
  docsUrl: 'https://docs.slack.dev/reference/methods',
  checkedAt: '2026-11-16',
  auth: {
    type: 'oauth',
    authorizeUrl: 'https://slack.com/oauth/v2/authorize',
    tokenUrl: 'https://slack.com/api/oauth.v2.access',
    revoke: { url: 'https://slack.com/api/auth.revoke', how: 'bearer' },
    registerUrl: 'https://api.slack.com/apps',
    scopes: {
      default: [
        'app_mentions:read',
        'channels:history',
        'channels:read',
        'chat:write',
        'files:read',
        'groups:history',
        'groups:read',
        'im:history',
        'reactions:write',
        'users:read',
        'users:read.email',
      ],
    },
    scopeSeparator: ',',
    pkce: 'no',
    answer: {
      keep: { teamId: 'team.id', botUserId: 'bot_user_id' },
      errorWhen: { path: 'ok', equals: false, message: 'error' },
    },
    // Expires only with token rotation, then with `expires_in`.
    lifetime: { access: null, refresh: 'rotates' },
  },
  baseUrl: 'https://slack.com/api',
  hosts: ['files.slack.com'],
  check: {
    request: { method: 'POST', path: '/auth.test' },
    account: { id: 'user_id', name: 'team' },
  },
  // Slack reports errors with status 200.
  errors: [
    { path: 'error', equals: 'token_revoked', means: 'revoked' },
    { path: 'error', equals: 'account_inactive', means: 'revoked' },
    { path: 'error', equals: 'token_expired', means: 'expired' },
    { path: 'error', equals: 'invalid_auth', means: 'expired' },
    { path: 'error', equals: 'ratelimited', means: 'slow_down' },
    { path: 'error', equals: 'channel_not_found', means: 'not_found' },
    { path: 'error', equals: 'users_not_found', means: 'not_found' },
    { path: 'error', equals: 'missing_scope', means: 'forbidden' },
    {
      path: 'error',
      equals: 'not_in_channel',
      means: 'forbidden',
      message: 'The app isn’t in this channel: a channel member has to invite it',
    },
    { path: 'ok', equals: false, means: 'invalid' },
  ],
  errorFields: { code: 'error', message: 'response_metadata.messages.0' },
  tools: [
    tool({
      name: 'send_message',
      description:
        'Use it to post a new message to a channel, or to a user by id. Everyone in the channel can read it.',
      input: z.object({ channel, text }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: '/chat.postMessage',
        form: { channel: from('channel'), markdown_text: from('text') },
      },
      answer: { pick: ['channel', 'ts'] },
    }),
    tool({
      name: 'reply_in_thread',
      description: 'Use it to reply to a message in its thread instead of starting a new one.',
      input: z.object({
        channel,
        threadTs: timestamp.describe('`ts` of the thread’s first message'),
        text,
      }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: '/chat.postMessage',
        form: { channel: from('channel'), thread_ts: from('threadTs'), markdown_text: from('text') },
      },
      answer: { pick: ['channel', 'ts'] },
    }),
    tool({
      name: 'read_channel',
      description:
        'Use it to read a channel’s newest messages, newest first, or with threadTs one thread’s messages, oldest first.',
      input: z.object({ channel, threadTs: timestamp.optional(), limit: limit(200) }),
      effect: 'read',
      risk: 'none',
      request: ({ threadTs }) => ({
        method: 'POST',
        path: threadTs === undefined ? '/conversations.history' : '/conversations.replies',
        form: { channel: from('channel'), limit: from('limit'), ts: from('threadTs') },
      }),
      answer: { at: 'messages', pick: MESSAGE },
      pages: { by: 'cursor', next: 'response_metadata.next_cursor', send: { body: 'cursor' } },
    }),
    tool({
      name: 'list_channels',
      description:
        'Use it to find a channel’s id by name. Returns public channels and the app’s private ones.',
      input: z.object({ limit: limit(1000, 200) }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'POST',
        path: '/conversations.list',
        form: { limit: from('limit'), exclude_archived: true, types: 'public_channel,private_channel' },
      },
      answer: {
        at: 'channels',
        pick: ['id', 'name', 'is_private', 'is_member', 'num_members', 'topic.value'],
      },
      pages: { by: 'cursor', next: 'response_metadata.next_cursor', send: { body: 'cursor' } },
    }),
    tool({
      name: 'find_user',
      description: 'Use it to find a user’s id and name by email address.',
      input: z.object({ email: z.email().max(254) }),
      effect: 'read',
      risk: 'none',
      request: { method: 'POST', path: '/users.lookupByEmail', form: { email: from('email') } },
      answer: { at: 'user', pick: ['id', 'name', 'real_name', 'tz', 'deleted', 'profile.title'] },
    }),
    tool({
      name: 'add_reaction',
      description: 'Use it to acknowledge a message with an emoji instead of a message.',
      input: z.object({
        channel,
        ts: timestamp,
        emoji: z
          .string()
          .regex(/^[\w+'-]{1,100}$/)
          .describe('The name without colons: white_check_mark'),
      }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: '/reactions.add',
        form: { channel: from('channel'), timestamp: from('ts'), name: from('emoji') },
      },
      answer: { pick: ['ok'] },
    }),
  ],
  receiver: slackReceiver,
}

function normalize({ body, account }: ReceivedEvent): readonly NormalizedEvent[] {
  const event = valueAt(body, 'event')
  const type = textAt(event, 'type')
  if (type !== 'message' && type !== 'app_mention') return []
  const subtype = textAt(event, 'subtype')
  if (subtype === 'message_changed') return editedMessage(event, account.id)
  if (subtype === 'message_deleted') return deletedMessage(event, account.id)
  return NEW_MESSAGE_SUBTYPES.has(subtype) ? message(event, event, account.id) : []
}

/** Slack sends `app_mention` and `message` for one message, so they share an id and key. */
function message(event: unknown, content: unknown, botId: string | null): readonly NormalizedEvent[] {
  const [channel, ts, user] = [textAt(event, 'channel'), textAt(content, 'ts'), textAt(content, 'user')]
  if (channel === null || ts === null || isBot(content, botId)) return []
  const text = textAt(content, 'text') ?? ''
  const mention = `<@${botId}>`
  const isDirect = textAt(event, 'channel_type') === 'im'
  const root = textAt(content, 'thread_ts') ?? (isDirect ? null : ts)
  const isMention = textAt(event, 'type') === 'app_mention' || text.includes(mention)
  return [
    normalizedEvent({
      eventKey: isMention ? 'slack.mention' : 'slack.message',
      externalId: idOf(channel, ts),
      actor: { id: user, name: null, isBot: false },
      text: text.replaceAll(mention, '').trim(),
      thread: root === null ? channel : `${channel}:${root}`,
      resource: { type: 'message', id: ts, url: null },
      replyTo: { channel, ...(root !== null && { thread_ts: root }) },
      ...imagesOf(
        itemsAt(content, 'files').map((file) => ({
          ref: textAt(file, 'url_private'),
          mimeType: textAt(file, 'mimetype'),
        })),
      ),
    }),
  ]
}

function editedMessage(event: unknown, botId: string | null): readonly NormalizedEvent[] {
  // A link preview doesn't change the text.
  if (textAt(event, 'message.text') === textAt(event, 'previous_message.text')) return []
  return message(event, valueAt(event, 'message'), botId).map((edited) => ({
    ...edited,
    change: 'edited',
    targetId: edited.externalId,
    externalId: `${edited.externalId}:edited:${textAt(event, 'event_ts') ?? textAt(event, 'ts')}`,
  }))
}

function deletedMessage(event: unknown, botId: string | null): readonly NormalizedEvent[] {
  return message(event, valueAt(event, 'previous_message'), botId).map((deleted) => ({
    ...deleted,
    change: 'deleted',
    targetId: deleted.externalId,
    externalId: `${deleted.externalId}:deleted`,
    text: null,
  }))
}
