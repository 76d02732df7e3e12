import { z } from 'zod'
import { bySignature, endpoint, member, steppedUp } from '../endpoint.ts'
import { Id, text } from '../fields.ts'
import { ProjectRef } from '../projects/projects.ts'
import { VOICE_PROVIDERS } from './telephony-options.ts'
import { VoiceAgent } from './telephony-records.ts'

export const VOICE_AGENT_AREA = 'Managing voice agents'

const params = z.object({ id: Id })
const writes = steppedUp(VOICE_AGENT_AREA, { role: 'admin' })

const webhook = {
  access: bySignature(),
  query: z.looseObject({}),
  raw: true,
  bytes: 'reply',
  failures: ['CONFLICT', 'RATE_LIMITED'],
  output: z.null(),
} as const

const tool = {
  method: 'POST',
  access: bySignature(),
  query: z.looseObject({}),
  raw: true,
  failures: ['RATE_LIMITED'],
} as const

export const voiceAgents = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/telephony/voice-agents',
    summary: 'List voice agents',
    access: member(),
    output: z.object({ items: z.array(VoiceAgent) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/telephony/voice-agents',
    summary: 'Add a voice agent',
    description:
      'Calls that the provider answers become agent sessions, with your permissions. `secret` is shown once: ElevenLabs sends it in the header `x-atrium-tool-secret`; OpenAI does not use it.',
    access: writes,
    body: z
      .object({
        provider: z.enum(VOICE_PROVIDERS),
        providerAgentId: text(1, 100).optional().describe('For ElevenLabs: its agent id'),
        agentId: Id,
        projectId: ProjectRef,
        connectionId: Id.optional().describe(
          'For ElevenLabs. Defaults to this server’s account. OpenAI calls use the model provider `openai`',
        ),
        webhookSecret: text(8, 500)
          .optional()
          .describe('Webhook secret at the provider. Defaults to this server’s'),
      })
      .refine(({ provider, providerAgentId }) => provider !== 'elevenlabs' || providerAgentId !== undefined, {
        path: ['providerAgentId'],
        error: 'is required for elevenlabs',
      }),
    output: VoiceAgent.extend({ secret: z.string() }),
    status: 201,
    failures: ['CONFLICT'],
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/api/v1/telephony/voice-agents/:id/rotate',
    summary: 'Replace a voice agent’s secret',
    description: 'The previous secret is no longer accepted.',
    access: writes,
    params,
    output: z.object({ secret: z.string() }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/telephony/voice-agents/:id',
    summary: 'Remove a voice agent',
    access: writes,
    params,
    output: z.object({ deleted: z.literal(true) }),
  }),
  openaiWebhook: endpoint({
    ...webhook,
    method: 'POST',
    path: '/api/v1/telephony/openai/webhook',
    summary: 'Receive OpenAI events',
    description: 'For OpenAI: incoming SIP calls. Returns FORBIDDEN without a valid signature.',
  }),
  elevenlabsWebhook: endpoint({
    ...webhook,
    method: 'POST',
    path: '/api/v1/telephony/elevenlabs/webhook',
    summary: 'Receive ElevenLabs events',
    description:
      'For ElevenLabs: transcripts, recordings and failed calls. Returns FORBIDDEN without a valid signature.',
  }),
  elevenlabsInitiation: endpoint({
    ...webhook,
    method: 'POST',
    path: '/api/v1/telephony/elevenlabs/initiation',
    summary: 'Describe a call to ElevenLabs',
    description: 'For ElevenLabs, when a call starts. Returns FORBIDDEN without the voice agent’s secret.',
  }),
  closeConversation: endpoint({
    ...tool,
    path: '/api/v1/telephony/elevenlabs/tools/close-conversation',
    summary: 'Close a conversation',
    description:
      'For ElevenLabs, as a tool: JSON with `conversation_id`, and optionally `call_sid`, `reason` and `summary`. Can be repeated. Returns FORBIDDEN without the voice agent’s secret; every other response has a sentence that can be spoken.',
    output: z.object({ result: z.string(), say: z.string() }),
  }),
  queueAgentRun: endpoint({
    ...tool,
    path: '/api/v1/telephony/elevenlabs/tools/queue-agent-run',
    summary: 'Queue an agent run',
    description:
      'For ElevenLabs, as a tool: JSON with `conversation_id` and `task`, and optionally `call_sid`, `agent`, `tool_call_id` and `notify`. A repeated `tool_call_id` returns the same run. Returns FORBIDDEN without the voice agent’s secret; every other response has a sentence that can be spoken.',
    output: z.object({ result: z.string(), runId: Id.nullable(), say: z.string() }),
    status: 202,
    also: { 200: 'The run could not be queued; `say` has the reason' },
  }),
}

/** Parsed after the secret check; the voice agent speaks its errors. */
export const ClosedConversation = z.object({
  conversation_id: text(1, 200),
  call_sid: text(1, 100).nullish(),
  reason: text(1, 500).nullish(),
  summary: text(1, 4000).nullish(),
})

export const QueuedTask = z.object({
  conversation_id: text(1, 200),
  call_sid: text(1, 100).nullish(),
  /** Name or id of another agent with a voice agent in the same project. */
  agent: text(1, 200).nullish(),
  task: text(1, 4000),
  tool_call_id: text(1, 200).nullish(),
  /** `sms`: the caller agreed to a text message. */
  notify: z.enum(['spoken', 'sms']).nullish(),
})
