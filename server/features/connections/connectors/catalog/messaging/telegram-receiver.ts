import { TELEGRAM } from '../../../../../signatures/signature-schemes.ts'
import { normalizedEvent, textAt } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { splitText } from '../../definition/split-text.ts'
import { valueAt } from '../../requests/template.ts'

const TEXT_MAX = 4096
const UPDATES = ['message', 'edited_message', 'channel_post', 'edited_channel_post', 'callback_query']
const MEDIA = [
  'photo',
  'document',
  'voice',
  'audio',
  'video',
  'video_note',
  'sticker',
  'location',
  'contact',
  'poll',
]

export const telegramReceiver: ReceiverDefinition = {
  kind: 'messaging',
  proof: { by: 'signature', schemes: [TELEGRAM], secret: { from: 'generated' } },
  events: {
    'telegram.message': 'A message in a chat of the bot',
    'telegram.post': 'A post in a channel of the bot',
    'telegram.button': 'A button under a message of the bot was pressed',
  },
  normalize,
  sessionKey: 'telegram:{thread}',
  reply: ({ replyTo: { reply_to, ...chat } }, text) =>
    splitText(text, TEXT_MAX).map((part, index) => ({
      method: 'POST',
      path: '/sendMessage',
      json: {
        ...chat,
        text: part,
        ...(index === 0 &&
          reply_to !== undefined && {
            reply_parameters: { message_id: reply_to, allow_sending_without_reply: true },
          }),
      },
    })),
  typing: ({ replyTo: { chat_id, message_thread_id } }) => ({
    method: 'POST',
    path: '/sendChatAction',
    json: {
      chat_id: chat_id!,
      ...(message_thread_id !== undefined && { message_thread_id }),
      action: 'typing',
    },
  }),
  setup: {
    by: 'api',
    // A bot has one webhook: registering replaces it.
    register: ({ url, secret }) => ({
      request: {
        method: 'POST',
        path: '/setWebhook',
        json: { url, secret_token: secret, allowed_updates: UPDATES },
      },
    }),
    update: (_, { url, secret }) => ({
      method: 'POST',
      path: '/setWebhook',
      json: { url, secret_token: secret, allowed_updates: UPDATES },
    }),
    unregister: () => ({ method: 'POST', path: '/deleteWebhook', json: {} }),
  },
}

function normalize({ body }: ReceivedEvent): readonly NormalizedEvent[] {
  const updateId = textAt(body, 'update_id')
  if (updateId === null) return []
  const buttonPress = valueAt(body, 'callback_query')
  if (buttonPress) {
    const context = toEvent(valueAt(buttonPress, 'message'), valueAt(buttonPress, 'from'))
    const text = textAt(buttonPress, 'data')
    return context
      ? [{ ...context, eventKey: 'telegram.button', externalId: `update:${updateId}`, text }]
      : []
  }
  const kind = UPDATES.find((name) => valueAt(body, name))
  const content = kind && valueAt(body, kind)
  const event = kind && toEvent(content, valueAt(content, 'from'), kind.endsWith('post'))
  if (!event) return []
  if (!kind.startsWith('edited_')) return [event]
  return [{ ...event, change: 'edited', targetId: event.externalId, externalId: `update:${updateId}` }]
}

function toEvent(content: unknown, from: unknown, isPost = false): NormalizedEvent | null {
  const [chat, messageId] = [textAt(content, 'chat.id'), textAt(content, 'message_id')]
  // Messages of other bots are ignored: two bots that reply to each other would never stop.
  if (chat === null || messageId === null || valueAt(from, 'is_bot') === true) return null
  const text = textAt(content, 'text') ?? textAt(content, 'caption')
  const media = MEDIA.find((name) => valueAt(content, name) !== undefined)
  // Notices such as "joined the group" have neither text nor media.
  if (text === null && !media) return null
  const topic = valueAt(content, 'is_topic_message') === true ? textAt(content, 'message_thread_id') : null
  const isPrivate = textAt(content, 'chat.type') === 'private'
  const names = [textAt(from, 'first_name'), textAt(from, 'last_name')].filter((name) => name !== null)
  return normalizedEvent({
    eventKey: isPost ? 'telegram.post' : 'telegram.message',
    externalId: `message:${chat}:${messageId}`,
    actor: {
      id: textAt(from, 'id') ?? textAt(content, 'sender_chat.id'),
      name: names.join(' ') || textAt(content, 'chat.title'),
      isBot: false,
    },
    text: [media && `[${media}]`, text].filter(Boolean).join(' '),
    thread: topic === null ? chat : `${chat}:${topic}`,
    resource: { type: 'message', id: messageId, url: null },
    replyTo: {
      chat_id: chat,
      ...(topic !== null && { message_thread_id: Number(topic) }),
      ...(!isPrivate && { reply_to: Number(messageId) }),
    },
  })
}
