import { expect, test } from 'vitest'
import elevenlabsSdk from '../../../server/features/connections/connectors/catalog/recorded/elevenlabs.json' with {
  type: 'json',
}
import {
  elevenlabs,
  elevenlabsReceiver,
} from '../../../server/features/connections/connectors/catalog/telephony/elevenlabs.ts'
import {
  twilio,
  twilioReceiver,
} from '../../../server/features/connections/connectors/catalog/telephony/twilio.ts'
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
  captureRequest,
  createTarget,
  sentRequest,
} from '../../../server/features/connections/connectors/catalog/testing/tool-request.ts'
import type { Registration } from '../../../server/features/connections/connectors/definition/receiver.ts'
import { hmac } from '../../../server/security/hmac.ts'

const SID = `AC${'0'.repeat(32)}`
const PN = `PN${'1'.repeat(32)}`
const TOKEN = 'f'.repeat(32)
const target = createTarget(twilio, {
  credentials: { accountSid: SID, authToken: TOKEN },
  account: { id: SID },
})
const [TO, FROM] = ['+4930123456', '+4930654321']

interface VendorRequest {
  method: string
  uri: string
  params?: Record<string, unknown>
  data?: Record<string, string>
}

/** The SDK with a transport that replaces the host. */
const twilioClient = async (base: string) => {
  const { default: create } = await import('twilio')
  const request = async ({ method, uri, params, data }: VendorRequest) => {
    const url = new URL(new URL(uri).pathname, base)
    for (const [name, value] of Object.entries(params ?? {})) url.searchParams.append(name, String(value))
    const response = await fetch(url, { method, ...(data && { body: new URLSearchParams(data) }) })
    return { statusCode: response.status, body: await response.json() }
  }
  return create(SID, TOKEN, { httpClient: { request } as never })
}

const TWILIO: ToolCase[] = [
  [
    'send_sms',
    { to: TO, from: FROM, text: 'Hi {to} & you' },
    async (url) => (await twilioClient(url)).messages.create({ to: TO, from: FROM, body: 'Hi {to} & you' }),
  ],
  [
    'call',
    { to: TO, from: FROM, text: 'A < B & C' },
    async (url) =>
      (await twilioClient(url)).calls.create({
        to: TO,
        from: FROM,
        twiml: '<Response><Say language="en-US">A &lt; B &amp; C</Say></Response>',
      }),
  ],
  [
    'list_messages',
    { to: TO, limit: 5 },
    async (url) => (await twilioClient(url)).messages.page({ to: TO, pageSize: 5 } as never),
  ],
  [
    'list_numbers',
    {},
    async (url) => (await twilioClient(url)).incomingPhoneNumbers.page({ pageSize: 50 } as never),
  ],
]

const { requests } = elevenlabsSdk
const ELEVENLABS: ToolCase[] = [
  ['list_agents', { search: 'desk' }, requests.list_agents],
  ['list_numbers', {}, requests.list_numbers],
  ['start_call', { agentId: 'a1', numberId: 'p1', to: TO }, requests.start_call],
  ['list_conversations', { agentId: 'a1' }, requests.list_conversations],
  ['get_conversation', { conversationId: 'c1' }, requests.get_conversation],
]

test.each([
  ['twilio', target, TWILIO],
  [`elevenlabs, by ${elevenlabsSdk.sdk} ${elevenlabsSdk.version}`, createTarget(elevenlabs), ELEVENLABS],
])("%s: every tool makes its SDK's request", (_, each, cases) => expectSameRequests(each, cases))

test('credentials are sent as each provider expects, and failures have a readable message', async () => {
  const { headers, path } = await sentRequest(target, twilio.check.request)
  expect(path).toBe(`/2010-04-01/Accounts/${SID}.json`)
  expect(headers.authorization).toBe(`Basic ${Buffer.from(`${SID}:${TOKEN}`).toString('base64')}`)
  const checked = await sentRequest(createTarget(elevenlabs), elevenlabs.check.request)
  expect(toComparable(checked)).toEqual(requests.check)
  expect(checked.headers['xi-api-key']).toBe('token')
  expect(failure(twilio, 400, { code: 21610, message: 'x' })?.message).toContain('STOP')
  const since = await captureRequest(target, 'list_messages', { sentAfter: '2026-11-01' })
  expect(since.query).toEqual({ 'DateSent>': '2026-11-01', PageSize: '20' })
})

test('twilio: accepts the signatures its SDK accepts, reads messages, and replies from the same number', async () => {
  const { validateRequest, getExpectedTwilioSignature } = (await import('twilio')).default
  const message = { AccountSid: SID, MessageSid: 'SM1', From: TO, To: FROM, Body: 'Hi ✓', NumMedia: '1' }
  const { url } = registeredEndpoint()
  const signature = getExpectedTwilioSignature(TOKEN, url, message)
  expect(validateRequest(TOKEN, signature, url, message)).toBe(true)
  const headers = {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    'x-twilio-signature': signature,
  }
  const body = new URLSearchParams(message).toString()
  const now = new Date()
  expect(isAccepted(twilioReceiver, { headers, body }, TOKEN, now)).toBe(true)
  expect(isAccepted(twilioReceiver, { headers, body: `${body}&A=1` }, TOKEN, now)).toBe(false)
  expect(isAccepted(twilioReceiver, { headers, body, url: `${url}2` }, TOKEN, now)).toBe(false)

  const normalize = (overrides: object) =>
    twilioReceiver.normalize(receivedEvent({ ...message, ...overrides }, { account: { id: SID } }))
  const [event] = normalize({})
  expect(event).toMatchObject({ externalId: 'SM1', text: 'Hi ✓ [1 file]', thread: `${FROM}:${TO}` })
  expect(normalize({ Body: '' })[0]?.text).toBe('[1 file]')
  expect(normalize({ OptOutType: 'STOP' })).toEqual([])
  expect(normalize({ Body: undefined, MessageStatus: 'delivered' })).toEqual([])
  expect(normalize({ AccountSid: 'AC1' })).toEqual([])
  expect(replies(twilioReceiver.reply!(event!, 'a '.repeat(900)))).toHaveLength(2)

  const endpoint = registeredEndpoint({ config: { phoneNumberSid: PN } })
  const setup = twilioReceiver.setup as Registration
  const ours = [
    setup.register(endpoint).request,
    setup.unregister({}, endpoint.config),
    ...replies(twilioReceiver.reply!(event!, 'Yes')),
  ]
  const theirs = await recordRequests(async (base) => {
    const sdk = await twilioClient(base)
    await sdk.incomingPhoneNumbers(PN).update({ smsUrl: url, smsMethod: 'POST' })
    await sdk.incomingPhoneNumbers(PN).update({ smsUrl: '', smsMethod: 'POST' })
    await sdk.messages.create({ to: TO, from: FROM, body: 'Yes' })
  })
  expect(theirs).toHaveLength(ours.length)
  for (const [index, template] of ours.entries()) {
    expect(toComparable(await sentRequest(target, template))).toEqual(toComparable(theirs[index]!))
  }
})

test('elevenlabs: accepts its signature, and reads transcripts and failed calls', () => {
  const now = new Date(1_739_537_297_000)
  const body = '{"id":1,"text":"héllo"}'
  const tag = 'e3c10145f151c8c77329f4e4e69a4d6fe5c9a6b45c4a821ffc60d24ad11ae8c2'
  const accepts = (signature: string, at = now) =>
    isAccepted(elevenlabsReceiver, { headers: { 'elevenlabs-signature': signature }, body }, 'wsec_test', at)
  expect(accepts(`t=1739537297,v0=${tag}`)).toBe(true)
  expect(hmac('sha256', Buffer.from('wsec_test'), [`1739537297.${body}`]).toString('hex')).toBe(tag)
  expect(accepts(`t=1739537298,v0=${tag}`)).toBe(false)
  expect(accepts(`t=1739537297,v0=${tag}`, new Date(now.getTime() + 1_801_000))).toBe(false)

  const data = {
    conversation_id: 'c1',
    agent_id: 'a1',
    metadata: { phone_call: { external_number: TO } },
    transcript: [
      { role: 'agent', message: 'Hello' },
      { role: 'agent', message: null },
      { role: 'user', message: 'Hi' },
    ],
    analysis: { transcript_summary: 'A greeting.' },
  }
  const normalize = (overrides: object) =>
    elevenlabsReceiver.normalize(receivedEvent({ type: 'post_call_transcription', data, ...overrides }))
  expect(normalize({})).toMatchObject([
    {
      eventKey: 'elevenlabs.conversation',
      externalId: 'post_call_transcription:c1',
      text: 'A greeting.\n\nagent: Hello\nuser: Hi',
      actor: { id: TO },
    },
  ])
  const failed = { type: 'call_initiation_failure', data: { conversation_id: 'c2', failure_reason: 'busy' } }
  expect(normalize(failed)).toMatchObject([
    { eventKey: 'elevenlabs.failed_call', text: 'The call failed: busy' },
  ])
  expect(normalize({ type: 'post_call_audio' })).toEqual([])
})
