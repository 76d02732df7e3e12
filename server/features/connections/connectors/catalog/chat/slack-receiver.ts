import { acceptedSchemes } from '../../../../../signatures/signature-schemes.ts'
import { normalizedEvent, textAt } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { splitText } from '../../definition/split-text.ts'
import { valueAt } from '../../requests/template.ts'

/** Slack refuses longer `markdown_text`. */
const TEXT_MAX = 12_000
/** Subtypes of new messages by people. Edits and deletions are handled separately; others are notices such as "joined the channel". */
const NEW_MESSAGE_SUBTYPES = new Set([null, 'file_share', 'me_message', 'thread_broadcast'])

export const slackReceiver: ReceiverDefinition = {
  kind: 'chat',
  proof: {
    by: 'signature',
    schemes: acceptedSchemes('slack'),
    secret: {
      from: 'entered',
      label: 'Signing secret',
      hint: 'On the Basic Information page of the Slack app, under App Credentials',
    },
  },
  events: {
    'slack.message': 'A message in a channel of the app, or a direct message to it',
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
  setup: {
    by: 'hand',
    steps: [
      'Open https://api.slack.com/apps and choose Create New App, From a manifest, or open the App Manifest page of the app of this connection.',
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

function normalize({ body, account }: ReceivedEvent): readonly NormalizedEvent[] {
  const event = valueAt(body, 'event')
  const type = textAt(event, 'type')
  if (type !== 'message' && type !== 'app_mention') return []
  const subtype = textAt(event, 'subtype')
  if (subtype === 'message_changed') return editedMessage(event, account.id)
  if (subtype === 'message_deleted') return deletedMessage(event, account.id)
  return NEW_MESSAGE_SUBTYPES.has(subtype) ? message(event, event, account.id) : []
}

/** `app_mention` and `message` are sent for the same message, so both have its external id and the same key. */
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
    }),
  ]
}

function editedMessage(event: unknown, botId: string | null): readonly NormalizedEvent[] {
  // A preview of a link changes the message but not its text.
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

/** Includes other bots: two bots that answer each other would never stop. */
const isBot = (content: unknown, botId: string | null): boolean =>
  textAt(content, 'bot_id') !== null || textAt(content, 'user') === null || textAt(content, 'user') === botId

const idOf = (channel: string, ts: string) => `message:${channel}:${ts}`
