import { z } from 'zod'
import { dictionary } from '../../../../../../contract/dictionary.ts'
import { acceptedSchemes } from '../../../../../signatures/signature-schemes.ts'
import { type ConnectorDefinition, limit, tool } from '../../definition/definition.ts'
import { itemsAt, lookup, normalizedEvent, textAt } from '../../definition/payload.ts'
import type { NormalizedEvent, ReceivedEvent, ReceiverDefinition } from '../../definition/receiver.ts'
import { from, valueAt } from '../../definition/template.ts'

const TEXT_MAX = 50_000

const KEYS: Record<string, string> = dictionary({
  post_call_transcription: 'elevenlabs.conversation',
  call_initiation_failure: 'elevenlabs.failed_call',
})

/** Recordings exceed the event size limit, and the transcript has the text. */
export const elevenlabsReceiver: ReceiverDefinition = {
  kind: 'telephony',
  proof: {
    by: 'signature',
    schemes: acceptedSchemes('elevenlabs'),
    secret: {
      from: 'entered',
      label: 'Webhook secret',
      hint: 'ElevenLabs shows it once when the webhook is created',
    },
  },
  events: {
    'elevenlabs.conversation': 'A conversation ended; with its transcript',
    'elevenlabs.failed_call': 'A call could not be placed',
  },
  normalize,
  sessionKey: 'elevenlabs:{thread}',
  setup: {
    by: 'hand',
    steps: [
      'Open https://elevenlabs.io/app/agents/settings and create a post-call webhook with the URL {url}.',
      'Choose HMAC as authentication, copy the secret that is shown once, and enter it here.',
      'Select the webhook as post-call webhook with the events transcript and call initiation failure.',
    ],
  },
}

const id = (description: string) =>
  z
    .string()
    .regex(/^\w{1,100}$/)
    .describe(description)

export const elevenlabs: ConnectorDefinition = {
  slug: 'elevenlabs',
  name: 'ElevenLabs',
  description: 'Let ElevenLabs voice agents call people, and read their conversation transcripts.',
  category: 'telephony',
  docsUrl: 'https://elevenlabs.io/docs/api-reference',
  checkedAt: '2026-11-16',
  auth: {
    type: 'api_key',
    fields: [
      {
        key: 'apiKey',
        label: 'API key',
        required: true,
        secret: true,
        hint: 'On the Developers, API Keys page',
        pattern: '[\\w-]{20,100}',
        placeholder: 'sk_…',
      },
    ],
    send: { header: 'xi-api-key', value: '{credentials.apiKey}' },
  },
  baseUrl: 'https://api.elevenlabs.io',
  check: {
    request: { method: 'GET', path: '/v1/user' },
    account: { id: 'user_id', name: 'first_name' },
  },
  errorFields: { code: 'detail.status', message: 'detail.message' },
  tools: [
    tool({
      name: 'list_agents',
      description: 'Use it to find a voice agent’s id by name.',
      input: z.object({ search: z.string().min(1).max(200).optional(), limit: limit(100, 30) }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/v1/convai/agents',
        query: { search: from('search'), page_size: from('limit') },
      },
      answer: { at: 'agents', pick: ['agent_id', 'name', 'tags', 'created_at_unix_secs'] },
      pages: { by: 'cursor', next: 'next_cursor', send: { query: 'cursor' } },
    }),
    tool({
      name: 'list_numbers',
      description: 'Use it to find ids for the phone numbers that voice agents call from.',
      input: z.object({}),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/v1/convai/phone-numbers' },
      answer: { pick: ['phone_number_id', 'phone_number', 'label', 'assigned_agent.agent_name'] },
    }),
    tool({
      name: 'start_call',
      description: 'Use it to let a voice agent call a phone number. Each call costs money.',
      input: z.object({
        agentId: id('The voice agent; list_agents returns it'),
        numberId: id('The phone number that it calls from; list_numbers returns it'),
        to: z
          .string()
          .regex(/^\+[1-9]\d{6,14}$/)
          .describe('A phone number with its country code: +4930123456'),
      }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: '/v1/convai/twilio/outbound-call',
        json: { agent_id: from('agentId'), agent_phone_number_id: from('numberId'), to_number: from('to') },
      },
      answer: { pick: ['success', 'message', 'conversation_id', 'callSid'] },
    }),
    tool({
      name: 'list_conversations',
      description: 'Use it to see the newest conversations, for one voice agent or all.',
      input: z.object({ agentId: id('Only for this voice agent').optional(), limit: limit(100, 30) }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/v1/convai/conversations',
        query: { agent_id: from('agentId'), page_size: from('limit') },
      },
      answer: {
        at: 'conversations',
        pick: [
          'conversation_id',
          'agent_name',
          'start_time_unix_secs',
          'call_duration_secs',
          'status',
          'call_successful',
          'call_summary_title',
        ],
      },
      pages: { by: 'cursor', next: 'next_cursor', send: { query: 'cursor' } },
    }),
    tool({
      name: 'get_conversation',
      description: 'Use it to read a conversation’s transcript and summary.',
      input: z.object({
        conversationId: id('The conversation; start_call and list_conversations return it'),
      }),
      effect: 'read',
      risk: 'none',
      request: { method: 'GET', path: '/v1/convai/conversations/{conversationId}' },
      answer: { map: conversationOf },
    }),
  ],
  receiver: elevenlabsReceiver,
}

function normalize({ body }: ReceivedEvent): readonly NormalizedEvent[] {
  const type = textAt(body, 'type') ?? ''
  const [eventKey, data] = [lookup(KEYS, type), valueAt(body, 'data')]
  const id = textAt(data, 'conversation_id')
  if (!eventKey || id === null) return []
  const phone = textAt(data, 'metadata.phone_call.external_number')
  const summary = textAt(data, 'analysis.transcript_summary')
  const lines = itemsAt(data, 'transcript').flatMap((each) => {
    const message = textAt(each, 'message')
    return message === null ? [] : [`${textAt(each, 'role')}: ${message}`]
  })
  const reason = `The call failed: ${textAt(data, 'failure_reason') ?? 'unknown'}`
  const text = eventKey === 'elevenlabs.failed_call' ? reason : [summary, '', ...lines].join('\n').trim()
  return [
    normalizedEvent({
      eventKey,
      externalId: `${type}:${id}`,
      actor: { id: phone ?? textAt(data, 'user_id'), name: null, isBot: false },
      text: text.slice(0, TEXT_MAX),
      thread: id,
      resource: { type: 'conversation', id, url: null },
    }),
  ]
}

function conversationOf(answer: unknown): unknown {
  return {
    conversationId: textAt(answer, 'conversation_id'),
    status: textAt(answer, 'status'),
    durationSeconds: valueAt(answer, 'metadata.call_duration_secs'),
    isSuccessful: textAt(answer, 'analysis.call_successful'),
    summary: textAt(answer, 'analysis.transcript_summary'),
    transcript: itemsAt(answer, 'transcript').flatMap((each) => {
      const message = textAt(each, 'message')
      return message === null ? [] : [{ role: textAt(each, 'role'), message }]
    }),
  }
}
