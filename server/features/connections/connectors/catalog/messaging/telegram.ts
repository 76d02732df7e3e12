import { z } from 'zod'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { from } from '../../definition/request-template.ts'
import { telegramReceiver } from './telegram-receiver.ts'

const chatId = z
  .string()
  .regex(/^(-?\d{1,20}|@\w{4,64})$/)
  .describe('The id of the chat, or @name of a public channel')
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
    // Telegram responds to an invalid token with 404.
    { status: 404, path: 'description', equals: 'Not Found', means: 'revoked' },
    { status: 401, means: 'revoked' },
    { path: 'ok', equals: false, status: 403, means: 'forbidden' },
  ],
  errorFields: { code: 'error_code', message: 'description' },
  tools: [
    tool({
      name: 'send_message',
      description:
        'Use it to send a message to a chat that the bot is in. A person has to write to the bot first.',
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
      description: 'Use it to correct a message that the bot sent. Everyone in the chat sees the change.',
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
        'Use it to send a file of at most 20 MB to a chat, from a public URL that Telegram fetches.',
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
      description: 'Use it to read the title, the type and the description of a chat that the bot is in.',
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
