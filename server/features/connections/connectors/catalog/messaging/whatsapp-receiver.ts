import { acceptedSchemes } from '../../../../../signatures/signature-schemes.ts'
import { itemsAt, normalizedEvent, textAt } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { splitText } from '../../definition/split-text.ts'
import { valueAt } from '../../requests/template.ts'

const MESSAGES = '/{credentials.phoneNumberId}/messages'
const TEXT_MAX = 4096
const MEDIA = new Set(['image', 'document', 'audio', 'video', 'sticker', 'location', 'contacts'])

export const whatsappReceiver: ReceiverDefinition = {
  kind: 'messaging',
  // Meta signs as GitHub does, with the secret of the app.
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
  setup: {
    by: 'hand',
    steps: [
      'Open the app at https://developers.facebook.com/apps and choose WhatsApp, Configuration.',
      'Enter {url} as callback URL and {secret} as verify token, and choose Verify and save.',
      'Subscribe to the field messages.',
    ],
  },
}

/** One request has several entries, changes and messages, also of other numbers of the same app. */
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
    }),
  ]
}

/** Null for reactions, system notices and kinds that WhatsApp adds later. */
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
