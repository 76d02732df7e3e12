import { z } from 'zod'
import { TELEGRAM } from '../../../../../signatures/signature-schemes.ts'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { imagesOf, itemsAt, normalizedEvent, pathOf, textAt } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { splitText } from '../../definition/split-text.ts'
import { from, valueAt } from '../../definition/template.ts'

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
    'telegram.message': 'A message in one of the bot’s chats',
    'telegram.post': 'A post in one of the bot’s channels',
    'telegram.button': 'A button under one of the bot’s messages was pressed',
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
  images: {
    locate: {
      request: (ref) => ({ method: 'POST', path: '/getFile', json: { file_id: ref } }),
      addressIn: (answer) => textAt(answer, 'result.file_path'),
    },
    download: (address) => {
      const { path, input } = pathOf(address)
      const file = `https://api.telegram.org/file/bot{credentials.token}${path}`
      return { request: { method: 'GET', path: file }, input }
    },
  },
  setup: {
    by: 'api',
    // A bot has one webhook, which registering replaces.
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

const chatId = z
  .string()
  .regex(/^(-?\d{1,20}|@\w{4,64})$/)
  .describe('Chat id, or a public channel’s @name')

const messageId = z.int().min(1)

const SENT_MESSAGE = { at: 'result', pick: ['message_id', 'chat.id', 'date'] }

export const telegram: ConnectorDefinition = {
  slug: 'telegram',
  name: 'Telegram',
  description: 'Send messages and files to Telegram chats as a bot.',
  category: 'messaging',
  docsUrl: 'https://core.telegram.org/bots/api',
  checkedAt: '2026-11-16',
  auth: {
    type: 'api_key',
    fields: [
      {
        key: 'token',
        label: 'Bot token',
        required: true,
        secret: true,
        hint: 'From @BotFather: send /newbot or /token',
        pattern: '\\d{5,20}:[A-Za-z0-9_-]{20,64}',
        placeholder: '123456789:AA…',
      },
    ],
    send: 'path',
  },
  baseUrl: 'https://api.telegram.org/bot{credentials.token}',
  check: {
    request: { method: 'POST', path: '/getMe' },
    account: { id: 'result.id', name: 'result.username' },
  },
  errors: [
    // Telegram answers an invalid token with 404.
    { status: 404, path: 'description', equals: 'Not Found', means: 'revoked' },
    { status: 401, means: 'revoked' },
    { path: 'ok', equals: false, status: 403, means: 'forbidden' },
  ],
  errorFields: { code: 'error_code', message: 'description' },
  tools: [
    tool({
      name: 'send_message',
      description:
        'Use it to send a message to a chat the bot is in. A person has to write to the bot first.',
      input: z.object({
        chatId,
        text: z.string().min(1).max(4096).describe('The message as plain text'),
        replyTo: messageId.describe('The message to reply to').optional(),
        silent: z.boolean().optional().describe('Without a sound'),
      }),
      effect: 'once',
      risk: 'send',
      request: ({ replyTo }) => ({
        method: 'POST',
        path: '/sendMessage',
        json: {
          chat_id: from('chatId'),
          text: from('text'),
          disable_notification: from('silent'),
          ...(replyTo !== undefined && { reply_parameters: { message_id: replyTo } }),
        },
      }),
      answer: SENT_MESSAGE,
    }),
    tool({
      name: 'edit_message',
      description: 'Use it to correct a message the bot sent. Everyone in the chat sees the change.',
      input: z.object({ chatId, messageId, text: z.string().min(1).max(4096) }),
      effect: 'idempotent',
      risk: 'send',
      request: {
        method: 'POST',
        path: '/editMessageText',
        json: { chat_id: from('chatId'), message_id: from('messageId'), text: from('text') },
      },
      answer: SENT_MESSAGE,
    }),
    tool({
      name: 'send_file',
      description:
        'Use it to send a file (20 MB at most) to a chat, from a public URL that Telegram fetches.',
      input: z.object({
        chatId,
        url: z.url({ protocol: /^https$/ }).max(2000),
        caption: z.string().max(1024).optional(),
      }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: '/sendDocument',
        json: { chat_id: from('chatId'), document: from('url'), caption: from('caption') },
      },
      answer: SENT_MESSAGE,
    }),
    tool({
      name: 'get_chat',
      description: 'Use it to read a chat’s title, type and description. The bot must be in the chat.',
      input: z.object({ chatId }),
      effect: 'read',
      risk: 'none',
      request: { method: 'POST', path: '/getChat', json: { chat_id: from('chatId') } },
      answer: {
        at: 'result',
        pick: [
          'id',
          'type',
          'title',
          'username',
          'first_name',
          'last_name',
          'bio',
          'description',
          'is_forum',
        ],
      },
    }),
  ],
  receiver: telegramReceiver,
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
  // Two bots replying to each other would never stop.
  if (chat === null || messageId === null || valueAt(from, 'is_bot') === true) return null
  const text = textAt(content, 'text') ?? textAt(content, 'caption')
  const media = MEDIA.find((name) => valueAt(content, name) !== undefined)
  // Notices such as "joined the group".
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
    ...imagesOf([
      // In several sizes, the largest last. Always a JPEG.
      { ref: textAt(itemsAt(content, 'photo').at(-1), 'file_id'), mimeType: 'image/jpeg' },
      { ref: textAt(content, 'document.file_id'), mimeType: textAt(content, 'document.mime_type') },
    ]),
  })
}
