import { z } from 'zod'
import { counted } from '../../../../../../contract/counted.ts'
import { TWILIO } from '../../../../../signatures/signature-schemes.ts'
import { type ConnectorDefinition, limit, tool } from '../../definition/definition.ts'
import { normalizedEvent, textAt } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { splitText } from '../../definition/split-text.ts'
import { encodeSegment, from, valueAt } from '../../definition/template.ts'

const TEXT_MAX = 1600
const ACCOUNT = '/2010-04-01/Accounts/{credentials.accountSid}'

export const twilioReceiver: ReceiverDefinition = {
  kind: 'telephony',
  proof: {
    by: 'signature',
    schemes: [TWILIO],
    secret: { from: 'credential', key: 'authToken' },
    rejection: 403,
  },
  events: { 'twilio.message': 'A text message to the phone number' },
  // Empty: the reply is sent when it's ready.
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
        hint: 'PN and 32 characters, on the phone number’s page in the Twilio console',
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

const phone = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/)
  .describe('A phone number with its country code: +4930123456')

const ownNumber = phone.describe('One of the account’s numbers; list_numbers returns them')

export const twilio: ConnectorDefinition = {
  slug: 'twilio',
  name: 'Twilio',
  description: 'Send text messages, place calls and read messages with Twilio phone numbers.',
  category: 'telephony',
  docsUrl: 'https://www.twilio.com/docs/usage/api',
  checkedAt: '2026-11-16',
  auth: {
    type: 'api_key',
    fields: [
      {
        key: 'accountSid',
        label: 'Account SID',
        required: true,
        hint: 'On the first page of the Twilio console',
        pattern: 'AC[0-9a-fA-F]{32}',
        placeholder: 'AC…',
      },
      {
        key: 'authToken',
        label: 'Auth token',
        required: true,
        secret: true,
        hint: 'Below the account SID. Twilio signs events with it',
        pattern: '[0-9a-fA-F]{32}',
      },
    ],
    send: { basic: { user: '{credentials.accountSid}', password: '{credentials.authToken}' } },
  },
  baseUrl: 'https://api.twilio.com',
  check: {
    request: { method: 'GET', path: `${ACCOUNT}.json` },
    account: { id: 'sid', name: 'friendly_name' },
  },
  errors: [
    {
      path: 'code',
      equals: 21610,
      means: 'forbidden',
      message: 'The recipient answered STOP and receives no messages from this number',
    },
  ],
  errorFields: { code: 'code', message: 'message' },
  tools: [
    tool({
      name: 'send_sms',
      description: 'Use it to send a text message to a phone. Each message costs money.',
      input: z.object({ to: phone, from: ownNumber, text: z.string().min(1).max(1600) }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: `${ACCOUNT}/Messages.json`,
        form: { To: from('to'), From: from('from'), Body: from('text') },
      },
      answer: { pick: ['sid', 'status', 'to', 'from', 'num_segments'] },
    }),
    tool({
      name: 'call',
      description:
        'Use it to call a phone and read a text aloud. The call ends after the text. Each call costs money.',
      input: z.object({
        to: phone,
        from: ownNumber,
        text: z.string().min(1).max(3000).describe('The text to read aloud'),
        language: z
          .string()
          .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/)
          .default('en-US'),
      }),
      effect: 'once',
      risk: 'send',
      request: ({ text, language }) => ({
        method: 'POST',
        path: `${ACCOUNT}/Calls.json`,
        form: {
          To: from('to'),
          From: from('from'),
          Twiml: `<Response><Say language="${language}">${escapeXml(text)}</Say></Response>`,
        },
      }),
      answer: { pick: ['sid', 'status', 'to', 'from'] },
    }),
    tool({
      name: 'list_messages',
      description: 'Use it to read the messages that were sent and received, newest first.',
      input: z.object({
        to: phone.optional(),
        from: phone.optional(),
        sentAfter: z.iso.date().optional().describe('Such as 2026-11-01'),
        limit: limit(200),
      }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: `${ACCOUNT}/Messages.json`,
        query: {
          To: from('to'),
          From: from('from'),
          'DateSent>': from('sentAfter'),
          PageSize: from('limit'),
        },
      },
      answer: {
        at: 'messages',
        pick: ['sid', 'direction', 'from', 'to', 'body', 'status', 'date_sent', 'num_media', 'error_message'],
      },
    }),
    tool({
      name: 'list_numbers',
      description: 'Use it to find the account’s phone numbers, which other tools send from.',
      input: z.object({ limit: limit(200, 50) }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: `${ACCOUNT}/IncomingPhoneNumbers.json`,
        query: { PageSize: from('limit') },
      },
      answer: {
        at: 'incoming_phone_numbers',
        pick: ['sid', 'phone_number', 'friendly_name', 'capabilities'],
      },
    }),
  ],
  receiver: twilioReceiver,
}

const escapeXml = (text: string) =>
  text
    .toWellFormed()
    // XML can't contain control characters and noncharacters.
    .replace(/[^\P{Cc}\t\n\r]|\p{NChar}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

function normalize({ body, account }: ReceivedEvent): readonly NormalizedEvent[] {
  const [id, from, to] = [textAt(body, 'MessageSid'), textAt(body, 'From'), textAt(body, 'To')]
  // A status callback has no body, and Twilio answers opt-outs.
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
