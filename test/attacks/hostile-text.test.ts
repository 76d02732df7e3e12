import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/index.ts'
import { carrierCallbacks } from '../../contract/telephony/carrier-callbacks.ts'
import { createCarrier, insertNumber, type TestNumber } from '../../server/testing/clients/phone-app.ts'
import {
  addVoiceAgent,
  buildVoiceApp,
  sendPostCall,
  sendTool,
  type VoiceApp,
} from '../../server/testing/clients/voice-app.ts'

/**
 * Texts that a lookup in an ordinary object finds, that PostgreSQL cannot store, or that are too long, in every place that
 * a sender without an account can write to. None of them may cause an internal error.
 */
const HOSTILE = ['constructor', '__proto__', 'toString', 'a\0b', '\ud800', 'x'.repeat(1_000_000)]
/** A URL has at most 16 KB. */
const HOSTILE_IN_URL = HOSTILE.filter(({ length }) => length < 1000)

let app: VoiceApp
let number: TestNumber
beforeAll(async () => {
  app = await buildVoiceApp()
  const { person } = await app.newUser({ role: 'owner', verified: true })
  const { id: projectId } = await app.project(person)
  number = await insertNumber(app, person, { projectId })
  return () => app.close()
})
beforeEach(() => app.sql`delete from rate_limits`.then(() => undefined))

const isOpen = ({ access }: Endpoint) => access.kind === 'public' || access.kind === 'signature'
const OPEN = endpoints
  .filter(isOpen)
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

const fieldsOf = (schema: unknown): string[] => {
  const { shape } = (schema ?? {}) as { shape?: Record<string, z.ZodType> }
  return shape ? Object.keys(shape) : []
}
/** Eight at a time; the rate limits of IP addresses must not hide what a handler does. */
async function inParallel<T>(items: readonly T[], run: (item: T) => Promise<void>) {
  for (let from = 0; from < items.length; from += 8) {
    await app.sql`delete from rate_limits`
    await Promise.all(items.slice(from, from + 8).map(run))
  }
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed())

describe('request without an account', () => {
  test.each(OPEN)('%s answers hostile text without an internal error', async (_, endpoint) => {
    const requests: [
      place: string,
      path: string,
      init: { headers?: Record<string, string>; body?: string },
    ][] = []
    const pathWith = (text: string) => endpoint.path.replace(/:\w+/g, encode(text))
    const path = pathWith('0198f3a2-7c1e-7d44-9b1a-2f6c1de0a111')
    for (const text of HOSTILE_IN_URL) {
      if (endpoint.path.includes(':')) requests.push(['path', pathWith(text), {}])
      for (const name of [...fieldsOf(endpoint.query), '__proto__'])
        requests.push([`query ${name}`, `${path}?${name}=${encode(text)}`, {}])
    }
    if (endpoint.method !== 'GET')
      for (const text of HOSTILE) {
        const names = [...fieldsOf(endpoint.body), 'constructor']
        const all = Object.fromEntries(names.map((name) => [name, text]))
        const single = HOSTILE_IN_URL.includes(text) ? names.map((name) => ({ [name]: text })) : []
        for (const fields of [all, ...single]) {
          const json = { 'content-type': 'application/json' }
          requests.push(['json', path, { headers: json, body: JSON.stringify(fields) }])
        }
        const form = { 'content-type': 'application/x-www-form-urlencoded' }
        const body = names.map((name) => `${name}=${encode(text)}`).join('&')
        requests.push(['form', path, { headers: form, body }])
      }
    await inParallel(requests, async ([place, target, init]) => {
      const { status } = await app.request(endpoint.method, target, init)
      expect(status, `${place} ${JSON.stringify(init.body ?? target).slice(0, 100)}`).not.toBe(500)
    })
  })
})

describe('signed carrier callback', () => {
  const FIELDS = {
    ...{
      CallSid: 'CA1',
      CallStatus: 'in-progress',
      From: '+4915112345678',
      Direction: 'inbound',
      CallDuration: '1',
    },
    ...{
      MessageSid: 'SM1',
      Body: 'Hello',
      NumMedia: '1',
      NumSegments: '1',
      MediaUrl0: 'https://example.com/a',
    },
    ...{
      OptOutType: 'STOP',
      SmsStatus: 'sent',
      MessageStatus: 'sent',
      ErrorCode: '1',
      SessionStatus: 'failed',
    },
    ...{
      SequenceNumber: '1',
      DialCallStatus: 'busy',
      RecordingSid: 'RE1',
      RecordingUrl: 'https://example.com/r',
    },
    ...{
      StatusCallbackEvent: 'participant-join',
      ConferenceSid: 'CF1',
      MediaContentType0: 'image/png',
      Digits: '1',
    },
    ...{ AnsweredBy: 'human', HandoffData: '{}', RecordingStatus: 'completed', RecordingDuration: '1' },
  }
  const QUERY = ['call', 'sms', 'transfer', 'target', 'fallback', 'step', 'id', 'to']
  const ROUTES = Object.values(carrierCallbacks).map(({ path }) => path.split('/').at(-1)!)

  test.each(ROUTES)('%s answers hostile text without an internal error', async (route) => {
    const send = async ([place, fields, query = '']: readonly [string, object, string?]) => {
      const { status } = await createCarrier(app, number, 'http://atrium.example').send({
        route,
        query: `?number=${number.id}${query}`,
        fields: { ...FIELDS, To: number.e164, ...fields },
      })
      expect([200, 204], place).toContain(status)
    }
    const requests = HOSTILE_IN_URL.flatMap((text) => [
      ...Object.keys(FIELDS).map(
        (name) => [`${name}=${text}`, { MessageSid: `SM${name}${text}`, [name]: text }] as const,
      ),
      ...QUERY.map((name) => [`?${name}=${text}`, {}, `&${name}=${encode(text)}`] as const),
    ])
    await inParallel([['no call', {}], ...requests], send)
  })
})

describe('voice provider request', () => {
  test('answers hostile text without an internal error', async () => {
    const agent = await addVoiceAgent(app)
    const { providerAgentId: agent_id } = agent
    for (const text of HOSTILE) {
      const label = JSON.stringify(text.slice(0, 20))
      const places: [string, object][] = [
        ['conversation_id', { agent_id, conversation_id: text.slice(0, 200) }],
        ['agent_id', { agent_id: text, conversation_id: 'c' }],
        ['failure_reason', { agent_id, conversation_id: `f${label}`, failure_reason: text }],
        [
          'transcript',
          { agent_id, conversation_id: `t${label}`, transcript: [{ role: 'user', message: text }] },
        ],
        ['metadata', { agent_id, conversation_id: `m${label}`, metadata: { termination_reason: text } }],
      ]
      for (const [place, data] of places)
        for (const type of ['post_call_transcription', 'call_initiation_failure', 'post_call_audio', text]) {
          const { status } = await sendPostCall(app, { type, event_timestamp: 1, data })
          expect(status, `${place} ${label} ${type.slice(0, 30)}`).not.toBe(500)
        }
      for (const tool of ['tools/close-conversation', 'tools/queue-agent-run', 'initiation'] as const)
        for (const name of [
          'conversation_id',
          'task',
          'agent',
          'tool_call_id',
          'reason',
          'summary',
          'caller_id',
        ]) {
          await app.sql`delete from rate_limits`
          const body = { conversation_id: 'c', task: 'x', [name]: text }
          expect(
            (await sendTool(app, tool, agent.voiceAgent, body)).status,
            `${tool} ${name} ${label}`,
          ).not.toBe(500)
        }
    }
  })
})
