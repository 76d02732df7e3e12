import { expect, test } from 'vitest'
import {
  telegram,
  telegramReceiver,
} from '../../../server/features/connections/connectors/catalog/messaging/telegram.ts'
import {
  whatsapp,
  whatsappReceiver,
} from '../../../server/features/connections/connectors/catalog/messaging/whatsapp.ts'
import {
  expectSameRequests,
  failure,
  type ToolCase,
  toComparable,
} from '../../../server/features/connections/connectors/catalog/testing/compare-tools.ts'
import {
  isAccepted,
  receivedEvent,
  registeredEndpoint,
  replies,
} from '../../../server/features/connections/connectors/catalog/testing/received.ts'
import { recordRequests } from '../../../server/features/connections/connectors/catalog/testing/recording-server.ts'
import {
  createTarget,
  sentRequest,
} from '../../../server/features/connections/connectors/catalog/testing/tool-request.ts'
import type { Registration } from '../../../server/features/connections/connectors/definition/receiver.ts'
import type { RequestTemplate } from '../../../server/features/connections/connectors/definition/template.ts'

const telegramApi = async (url: string) => {
  const { Api } = await import('grammy')
  return new Api('1:token', { apiRoot: url })
}

const TELEGRAM: ToolCase[] = [
  [
    'send_message',
    { chatId: '-100', text: 'Hi', replyTo: 7, silent: true },
    async (url) =>
      (await telegramApi(url)).sendMessage('-100', 'Hi', {
        disable_notification: true,
        reply_parameters: { message_id: 7 },
      }),
  ],
  [
    'edit_message',
    { chatId: '5', messageId: 7, text: 'Hi' },
    async (url) => (await telegramApi(url)).editMessageText('5', 7, 'Hi'),
  ],
  [
    'send_file',
    { chatId: '5', url: 'https://example.com/a.pdf', caption: 'A' },
    async (url) => (await telegramApi(url)).sendDocument('5', 'https://example.com/a.pdf', { caption: 'A' }),
  ],
  ['get_chat', { chatId: '@atrium' }, async (url) => (await telegramApi(url)).getChat('@atrium')],
]

/** From the reference of the Cloud API, which has no SDK that is maintained. */
const whatsappMessage = { messaging_product: 'whatsapp', recipient_type: 'individual', to: '+4912345678' }
const whatsappRequest = { method: 'POST', path: '/v23.0/555/messages', query: {} }
const WHATSAPP: ToolCase[] = [
  [
    'send_text',
    { to: '+4912345678', text: 'Hi', replyTo: 'wamid.1' },
    {
      ...whatsappRequest,
      body: {
        ...whatsappMessage,
        context: { message_id: 'wamid.1' },
        type: 'text',
        text: { body: 'Hi', preview_url: false },
      },
    },
  ],
  [
    'send_template',
    { to: '+4912345678', template: 'order_sent', language: 'en_US', values: ['A 1', '{to}'] },
    {
      ...whatsappRequest,
      body: {
        ...whatsappMessage,
        type: 'template',
        template: {
          name: 'order_sent',
          language: { code: 'en_US' },
          components: [
            {
              type: 'body',
              parameters: [
                { type: 'text', text: 'A 1' },
                { type: 'text', text: '{to}' },
              ],
            },
          ],
        },
      },
    },
  ],
  [
    'mark_read',
    { messageId: 'wamid.1' },
    { ...whatsappRequest, body: { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.1' } },
  ],
  ['get_media', { mediaId: '123456' }, { method: 'GET', path: '/v23.0/123456', query: {}, body: null }],
]

const target = createTarget(telegram, { credentials: { token: '1:token' } })
const credentials = { accessToken: 'a', phoneNumberId: '555', appSecret: 's' }

test.each([
  ['telegram', target, TELEGRAM],
  ['whatsapp', createTarget(whatsapp, { credentials }), WHATSAPP],
])("%s: every tool makes the vendor's documented request", (_, each, cases) =>
  expectSameRequests(each, cases),
)

test('credentials are sent as each provider expects', async () => {
  const { headers } = await sentRequest(createTarget(whatsapp, { credentials }), whatsapp.check.request)
  expect(headers.authorization).toBe('Bearer a')
  expect((await sentRequest(target, telegram.check.request)).path).toBe('/bot1:token/getMe')
})

test("failures are classified by the provider's response, and name the remedy for the 24-hour window", () => {
  const window = { error: { message: 'Re-engagement message', code: 131047 } }
  expect(failure(whatsapp, 400, window)).toMatchObject({ means: 'invalid', code: '131047' })
  expect(failure(whatsapp, 400, window)?.message).toContain('24 hours')
  expect(failure(whatsapp, 401, { error: { code: 190 } })?.means).toBe('expired')
  const unknown = { ok: false, error_code: 404, description: 'Not Found' }
  expect(failure(telegram, 404, unknown)?.means).toBe('revoked')
  const missing = { ok: false, error_code: 400, description: 'Bad Request: chat not found' }
  expect(failure(telegram, 400, missing)).toMatchObject({
    means: 'invalid',
    code: '400',
    message: missing.description,
  })
})

test('telegram: reads messages, edits, topics and buttons, and registers as grammY does', async () => {
  const normalize = (update: object) => telegramReceiver.normalize(receivedEvent({ update_id: 1, ...update }))
  const message = {
    message_id: 7,
    chat: { id: 5, type: 'private' },
    from: { id: 5, is_bot: false, first_name: 'Ada', last_name: 'L' },
    text: 'hi',
  }
  expect(normalize({ message })).toEqual([
    {
      eventKey: 'telegram.message',
      externalId: 'message:5:7',
      change: 'created',
      targetId: null,
      actor: { id: '5', name: 'Ada L', isBot: false },
      text: 'hi',
      thread: '5',
      resource: { type: 'message', id: '7', url: null },
      replyTo: { chat_id: '5' },
    },
  ])
  expect(normalize({ edited_message: { ...message, text: 'ho' } })).toMatchObject([
    { change: 'edited', targetId: 'message:5:7', externalId: 'update:1', text: 'ho' },
  ])
  const group = { id: -100, type: 'supergroup', title: 'Team' }
  const topic = { ...message, chat: group, is_topic_message: true, message_thread_id: 3 }
  const [inTopic] = normalize({ message: { ...topic, text: undefined, photo: [{}], caption: 'look' } })
  expect(inTopic).toMatchObject({ thread: '-100:3', text: '[photo] look' })
  expect(normalize({ callback_query: { id: '1', from: message.from, message, data: 'yes' } })).toMatchObject([
    { eventKey: 'telegram.button', text: 'yes', thread: '5' },
  ])
  expect(normalize({ channel_post: { ...message, from: undefined, chat: group } })[0]?.eventKey).toBe(
    'telegram.post',
  )
  expect(normalize({ message: { ...message, from: { id: 9, is_bot: true } } })).toEqual([])
  expect(normalize({ message: { ...message, text: undefined, new_chat_members: [] } })).toEqual([])
  expect(normalize({ poll: {} })).toEqual([])

  const ours = async (template: RequestTemplate) => toComparable(await sentRequest(target, template))
  const { Api } = await import('grammy')
  const { url, secret } = registeredEndpoint()
  const setup = telegramReceiver.setup as Registration
  const allowed = [
    'message',
    'edited_message',
    'channel_post',
    'edited_channel_post',
    'callback_query',
  ] as const
  const theirs = await recordRequests(async (apiRoot) => {
    const api = new Api('1:token', { apiRoot })
    const ignore = () => undefined
    await api.setWebhook(url, { secret_token: secret, allowed_updates: allowed }).catch(ignore)
    await api.deleteWebhook().catch(ignore)
    await api.sendChatAction('-100', 'typing', { message_thread_id: 3 }).catch(ignore)
    const reply_parameters = { message_id: 7, allow_sending_without_reply: true }
    await api.sendMessage('-100', 'Yes', { message_thread_id: 3, reply_parameters }).catch(ignore)
  })
  const templates = [
    setup.register(registeredEndpoint()).request,
    setup.unregister({}, {}),
    telegramReceiver.typing!(inTopic!)!,
    ...replies(telegramReceiver.reply!(inTopic!, 'Yes')),
  ]
  for (const [index, template] of templates.entries()) {
    expect(await ours(template)).toEqual(toComparable(theirs[index]!))
  }
})

test('whatsapp: verifies the signature, and reads every message to its own number', async () => {
  const { sign: signAsMeta } = await import('@octokit/webhooks-methods')
  const value = (number: string, messages: object[], statuses?: object[]) => ({
    value: {
      messaging_product: 'whatsapp',
      metadata: { phone_number_id: number },
      contacts: [{ wa_id: '49123', profile: { name: 'Ada' } }],
      messages,
      statuses,
    },
  })
  const message = (id: string, content: object) => ({ id, from: '49123', timestamp: '1', ...content })
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        changes: [
          value('555', [
            message('wamid.1', { type: 'text', text: { body: 'hi' } }),
            message('wamid.2', { type: 'image', image: { id: '1', caption: 'this' } }),
            message('wamid.3', { type: 'interactive', interactive: { button_reply: { title: 'Yes' } } }),
            message('wamid.4', { type: 'reaction', reaction: { emoji: '👍' } }),
          ]),
          value('666', [message('wamid.5', { type: 'text', text: { body: 'to another number' } })]),
          value('555', [], [{ id: 'wamid.0', status: 'delivered' }]),
        ],
      },
    ],
  })
  const headers = { 'x-hub-signature-256': await signAsMeta('app secret', body) }
  expect(isAccepted(whatsappReceiver, { headers, body }, 'app secret', new Date())).toBe(true)
  expect(isAccepted(whatsappReceiver, { headers, body: `${body} ` }, 'app secret', new Date())).toBe(false)
  const events = whatsappReceiver.normalize(receivedEvent(JSON.parse(body), { account: { id: '555' } }))
  expect(events.map(({ externalId, text }) => [externalId, text])).toEqual([
    ['wamid.1', 'hi'],
    ['wamid.2', '[image] this'],
    ['wamid.3', 'Yes'],
  ])
  expect(events[0]).toMatchObject({ thread: '49123', actor: { name: 'Ada' } })
  expect(replies(whatsappReceiver.reply!(events[0]!, 'a '.repeat(2100)))).toHaveLength(2)
})
