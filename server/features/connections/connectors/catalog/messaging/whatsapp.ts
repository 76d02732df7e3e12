import { z } from 'zod'
import { acceptedSchemes } from '../../../../../signatures/signature-schemes.ts'
import { type ConnectorDefinition, id, tool } from '../../definition/definition.ts'
import { imagesOf, itemsAt, normalizedEvent, requestForUrl, textAt } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { splitText } from '../../definition/split-text.ts'
import { from, valueAt } from '../../definition/template.ts'

const TEXT_MAX = 4096
const MESSAGES = '/{credentials.phoneNumberId}/messages'

const MEDIA = new Set(['image', 'document', 'audio', 'video', 'sticker', 'location', 'contacts'])

export const whatsappReceiver: ReceiverDefinition = {
  kind: 'messaging',
  // Meta signs like GitHub, with the app's secret.
  proof: {
    by: 'signature',
    schemes: acceptedSchemes('github'),
    secret: { from: 'credential', key: 'appSecret' },
  },
  handshake: {
    by: 'query-echo',
    parameter: 'hub.challenge',
    verify: { parameter: 'hub.verify_token', equals: 'secret' },
  },
  events: { 'whatsapp.message': 'A message from a customer' },
  normalize,
  sessionKey: 'whatsapp:{thread}',
  reply: ({ replyTo: { to } }, text) =>
    splitText(text, TEXT_MAX).map((body) => ({
      method: 'POST',
      path: MESSAGES,
      json: {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: to!,
        type: 'text',
        text: { body, preview_url: false },
      },
    })),
  typing: ({ replyTo: { messageId } }) => ({
    method: 'POST',
    path: MESSAGES,
    json: {
      messaging_product: 'whatsapp',
      status: 'read',
      message_id: messageId!,
      typing_indicator: { type: 'text' },
    },
  }),
  images: {
    locate: {
      request: (ref) => ({ method: 'GET', path: `/${encodeURIComponent(ref)}` }),
      addressIn: (answer) => textAt(answer, 'url'),
    },
    download: requestForUrl,
  },
  setup: {
    by: 'hand',
    steps: [
      'Open the app at https://developers.facebook.com/apps and choose WhatsApp, Configuration.',
      'Enter {url} as callback URL and {secret} as verify token, and choose Verify and save.',
      'Subscribe to the field messages.',
    ],
  },
}

const to = z
  .string()
  .regex(/^\+?\d{6,15}$/)
  .describe('The phone number with its country code')

const message = { messaging_product: 'whatsapp', recipient_type: 'individual', to: from('to') }

const SENT_MESSAGE = { at: 'messages.0', pick: ['id', 'message_status'] }

export const whatsapp: ConnectorDefinition = {
  slug: 'whatsapp',
  name: 'WhatsApp Business',
  description: 'Answer customers and send template messages from a WhatsApp Business number.',
  category: 'messaging',
  docsUrl: 'https://developers.facebook.com/docs/whatsapp/cloud-api',
  checkedAt: '2026-11-16',
  auth: {
    type: 'api_key',
    fields: [
      {
        key: 'accessToken',
        label: 'Access token',
        required: true,
        secret: true,
        hint: 'A permanent system user token with whatsapp_business_messaging',
        pattern: '[A-Za-z0-9]{40,1000}',
      },
      {
        key: 'phoneNumberId',
        label: 'Phone number ID',
        required: true,
        hint: 'On the app’s API Setup page; not the phone number',
        pattern: '\\d{5,25}',
      },
      {
        key: 'appSecret',
        label: 'App secret',
        required: false,
        secret: true,
        hint: 'On the App settings, Basic page. Required to receive messages',
        pattern: '[0-9a-f]{32}',
      },
    ],
    send: { header: 'authorization', value: 'Bearer {credentials.accessToken}' },
  },
  baseUrl: 'https://graph.facebook.com/v23.0',
  // Of images that customers send.
  hosts: ['lookaside.fbsbx.com'],
  check: {
    request: {
      method: 'GET',
      path: '/{credentials.phoneNumberId}',
      query: { fields: 'id,display_phone_number,verified_name' },
    },
    account: { id: 'id', name: 'display_phone_number' },
  },
  errors: [
    { path: 'error.code', equals: 190, means: 'expired' },
    { path: 'error.code', equals: 4, means: 'slow_down' },
    { path: 'error.code', equals: 80007, means: 'slow_down' },
    { path: 'error.code', equals: 130429, means: 'slow_down' },
    { path: 'error.code', equals: 131056, means: 'slow_down' },
    {
      path: 'error.code',
      equals: 131047,
      means: 'invalid',
      message:
        'More than 24 hours have passed since the last message from this customer, so WhatsApp accepts no free text: use send_template',
    },
  ],
  errorFields: { code: 'error.code', message: 'error.error_data.details' },
  tools: [
    tool({
      name: 'send_text',
      description:
        'Use it to answer a customer who wrote within the last 24 hours. After that, only send_template is accepted.',
      input: z.object({
        to,
        text: z.string().min(1).max(4096),
        replyTo: id('Id of the message to reply to: wamid.…').optional(),
      }),
      effect: 'once',
      risk: 'send',
      request: ({ replyTo }) => ({
        method: 'POST',
        path: MESSAGES,
        json: {
          ...message,
          ...(replyTo !== undefined && { context: { message_id: replyTo } }),
          type: 'text',
          text: { body: from('text'), preview_url: false },
        },
      }),
      answer: SENT_MESSAGE,
    }),
    tool({
      name: 'send_template',
      description:
        'Use it to write first, or after 24 hours without a message from the customer, with a template that Meta approved.',
      input: z.object({
        to,
        template: z
          .string()
          .regex(/^[a-z0-9_]{1,512}$/)
          .describe('Template name'),
        language: z
          .string()
          .regex(/^[a-z]{2,3}(_[A-Z]{2,3})?$/)
          .describe('Such as en_US'),
        values: z
          .array(z.string().min(1).max(1000))
          .max(20)
          .default([])
          .describe('Values for the body’s placeholders, in order'),
      }),
      effect: 'once',
      risk: 'send',
      request: ({ values }) => ({
        method: 'POST',
        path: MESSAGES,
        json: {
          ...message,
          type: 'template',
          template: {
            name: from('template'),
            language: { code: from('language') },
            ...(values.length > 0 && {
              components: [{ type: 'body', parameters: values.map((text) => ({ type: 'text', text })) }],
            }),
          },
        },
      }),
      answer: SENT_MESSAGE,
    }),
    tool({
      name: 'mark_read',
      description: 'Use it to show the customer that a message was read.',
      input: z.object({ messageId: id('Message id: wamid.…') }),
      effect: 'idempotent',
      risk: 'send',
      request: {
        method: 'POST',
        path: MESSAGES,
        json: { messaging_product: 'whatsapp', status: 'read', message_id: from('messageId') },
      },
      answer: { pick: ['success'] },
    }),
    tool({
      name: 'get_media',
      description: 'Use it to read the type and size for a file that a customer sent.',
      input: z.object({ mediaId: z.string().regex(/^\d{5,25}$/) }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/{mediaId}' },
      answer: { pick: ['id', 'mime_type', 'file_size', 'sha256'] },
    }),
  ],
  receiver: whatsappReceiver,
}

/** May include other numbers in the same app. */
function normalize({ body, account }: ReceivedEvent): readonly NormalizedEvent[] {
  return itemsAt(body, 'entry')
    .flatMap((entry) => itemsAt(entry, 'changes'))
    .map((change) => valueAt(change, 'value'))
    .filter((value) => textAt(value, 'metadata.phone_number_id') === account.id)
    .flatMap((value) => itemsAt(value, 'messages').flatMap((message) => toEvents(message, value)))
}

function toEvents(message: unknown, value: unknown): readonly NormalizedEvent[] {
  const [id, sender] = [textAt(message, 'id'), textAt(message, 'from')]
  const text = contentOf(message)
  if (id === null || sender === null || text === null) return []
  const contact = itemsAt(value, 'contacts').find((each) => textAt(each, 'wa_id') === sender)
  return [
    normalizedEvent({
      eventKey: 'whatsapp.message',
      externalId: id,
      actor: { id: sender, name: textAt(contact, 'profile.name'), isBot: false },
      text,
      thread: sender,
      resource: { type: 'message', id, url: null },
      replyTo: { to: sender, messageId: id },
      ...imagesOf(
        ['image', 'document'].map((type) => ({
          ref: textAt(message, `${type}.id`),
          mimeType: textAt(message, `${type}.mime_type`),
        })),
      ),
    }),
  ]
}

/** Returns null for reactions, system notices and future kinds. */
function contentOf(message: unknown): string | null {
  const type = textAt(message, 'type') ?? ''
  const text =
    textAt(message, 'text.body') ??
    textAt(message, 'button.text') ??
    textAt(message, 'interactive.button_reply.title') ??
    textAt(message, 'interactive.list_reply.title')
  if (text !== null) return text
  if (!MEDIA.has(type)) return null
  return [`[${type}]`, textAt(message, `${type}.caption`)].filter(Boolean).join(' ')
}
