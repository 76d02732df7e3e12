import { counted } from '../../../../../../contract/counted.ts'
import { TWILIO } from '../../../../../signatures/signature-schemes.ts'
import { normalizedEvent, textAt } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { splitText } from '../../definition/split-text.ts'
import { encodeSegment, valueAt } from '../../requests/template.ts'

const ACCOUNT = '/2010-04-01/Accounts/{credentials.accountSid}'
const TEXT_MAX = 1600

export const twilioReceiver: ReceiverDefinition = {
  kind: 'telephony',
  proof: {
    by: 'signature',
    schemes: [TWILIO],
    secret: { from: 'credential', key: 'authToken' },
    rejection: 403,
  },
  events: { 'twilio.message': 'A text message to the phone number' },
  // An empty response: the reply is sent when it is ready.
  response: { status: 200, contentType: 'text/xml', body: '<Response/>' },
  normalize,
  sessionKey: 'twilio:{thread}',
  reply: ({ replyTo: { to, from } }, text) =>
    splitText(text, TEXT_MAX).map((part) => ({
      method: 'POST',
      path: `${ACCOUNT}/Messages.json`,
      form: { To: to!, From: from!, Body: part },
    })),
  setup: {
    by: 'api',
    register: ({ url, config: { phoneNumberSid = '' } }) => ({ request: setUrl(phoneNumberSid, url) }),
    update: (_, { url, config: { phoneNumberSid = '' } }) => setUrl(phoneNumberSid, url),
    unregister: (_, { phoneNumberSid = '' }) => setUrl(phoneNumberSid, ''),
    fields: [
      {
        key: 'phoneNumberSid',
        label: 'Phone number SID',
        hint: 'PN and 32 characters, on the page of the phone number in the Twilio console',
        required: true,
        pattern: 'PN[0-9a-fA-F]{32}',
      },
    ],
  },
}

const setUrl = (sid: string, url: string) =>
  ({
    method: 'POST',
    path: `${ACCOUNT}/IncomingPhoneNumbers/${encodeSegment(sid)}.json`,
    form: { SmsUrl: url, SmsMethod: 'POST' },
  }) as const

function normalize({ body, account }: ReceivedEvent): readonly NormalizedEvent[] {
  const [id, from, to] = [textAt(body, 'MessageSid'), textAt(body, 'From'), textAt(body, 'To')]
  // A status callback of a sent message has no body, and Twilio itself answers an opt-out.
  const text = valueAt(body, 'Body')
  if (id === null || from === null || to === null || typeof text !== 'string') return []
  if (textAt(body, 'OptOutType') !== null || textAt(body, 'AccountSid') !== account.id) return []
  const files = Number(textAt(body, 'NumMedia') ?? 0)
  return [
    normalizedEvent({
      eventKey: 'twilio.message',
      externalId: id,
      actor: { id: from, name: textAt(body, 'ProfileName'), isBot: false },
      text: [text, files > 0 && `[${counted(files, 'file')}]`].filter(Boolean).join(' '),
      thread: `${to}:${from}`,
      resource: { type: 'message', id, url: null },
      replyTo: { to: from, from: to },
    }),
  ]
}
