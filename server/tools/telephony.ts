import { z } from 'zod'
import type { OutputOf } from '../../contract/endpoint.ts'
import { calls } from '../../contract/telephony/calls.ts'
import { sms } from '../../contract/telephony/sms.ts'
import { DIRECTIONS, SMS_STATUSES, TELEPHONY_LIMITS } from '../../contract/telephony/telephony-options.ts'
import { fence } from '../language-models/fence.ts'
import { callEndpoint } from './call-endpoint.ts'
import { clip } from './clip.ts'
import { isTrusted, requireTrust } from './project-ref.ts'
import type { Tool, ToolCall } from './tool.ts'

const LIMIT = 20

const listCallsInput = z.strictObject({
  id: z.uuid().optional(),
  peer: z.string().max(16).optional().describe('The other party’s number'),
  cursor: z.string().max(1000).optional(),
})

export const listCalls: Tool<z.output<typeof listCallsInput>> = {
  name: 'list_calls',
  description: 'List phone calls, newest first, or read one by its id, with its timeline.',
  input: listCallsInput,
  effect: 'read',
  risk: 'none',
  isOutside: (output) => (output as { outside?: boolean }).outside === true,
  async run(call, { id, ...filter }) {
    const projectFilter = projectFilterOf(call)
    if (id) {
      const { timeline, ...found } = await callEndpoint(call, calls.get, { params: { id } })
      if (projectFilter.projectId !== undefined && found.projectId !== projectFilter.projectId)
        requireTrust(call)
      const entries = timeline.map(({ at, type, detail }) => [at, type, detail].filter(Boolean).join(' '))
      return { ...describe(found), timeline: fence(entries.join('\n'), 'a phone call'), outside: true }
    }
    const query = { ...filter, ...projectFilter, limit: LIMIT }
    const { items, nextCursor } = await callEndpoint(call, calls.list, { query })
    // Callers influence summary text.
    const outside = items.some(({ summary }) => summary !== null)
    return { items: items.map(describe), ...(nextCursor && { nextCursor }), ...(outside && { outside }) }
  },
}

type CallItem = OutputOf<typeof calls.list>['items'][number]

const describe = ({ summary, ...call }: CallItem) => ({
  id: call.id,
  direction: call.direction,
  from: call.from,
  to: call.to,
  status: call.status,
  startedAt: call.startedAt,
  ...(call.durationSeconds !== null && { seconds: call.durationSeconds }),
  ...(call.endReason && { end: call.endReason }),
  ...(call.sessionId && { sessionId: call.sessionId }),
  ...(summary && { summary: fence(summary, 'a phone call') }),
})

/** A run that has read untrusted content lists only its own project. */
const projectFilterOf = (call: ToolCall): { projectId?: string } =>
  isTrusted(call) || call.projectId === null ? {} : { projectId: call.projectId }

const TEXT_BYTES = 24_000

const listSmsInput = z.strictObject({
  peer: z.string().max(16).optional().describe('The other party’s number'),
  direction: z.enum(DIRECTIONS).optional(),
  status: z.enum(SMS_STATUSES).optional(),
  cursor: z.string().max(1000).optional(),
})

export const listSms: Tool<z.output<typeof listSmsInput>> = {
  name: 'list_sms',
  description: 'List text messages on the organization’s numbers, newest first, with their status.',
  input: listSmsInput,
  effect: 'read',
  risk: 'none',
  isOutside: (output) => (output as { outside?: boolean }).outside === true,
  async run(call, filter) {
    const query = { ...filter, ...projectFilterOf(call), limit: LIMIT }
    const { items, nextCursor } = await callEndpoint(call, sms.list, { query })
    const texts = items.map(({ id, direction, from, to, body, status, errorMessage, media, createdAt }) => ({
      ...{ id, direction, from, to, status, createdAt, body },
      ...(errorMessage && { error: errorMessage }),
      ...(media.length > 0 && { files: media }),
    }))
    const { text } = clip(JSON.stringify(texts), TEXT_BYTES)
    const outside = items.some(({ direction }) => direction === 'inbound')
    return {
      messages: fence(text, 'text messages'),
      ...(nextCursor && { nextCursor }),
      ...(outside && { outside }),
    }
  },
}

const makeCallInput = z.strictObject({
  to: z.string().max(16).describe('With country code: +4930123456'),
  message: z
    .string()
    .min(1)
    .max(TELEPHONY_LIMITS.message)
    .optional()
    .describe('Read out; with an agent, what the agent says first'),
  agentId: z.uuid().optional().describe('The agent that speaks with the person'),
  task: z.string().min(1).max(4000).optional().describe('The agent’s task'),
  from: z.string().max(16).optional().describe('One of the organization’s numbers; default: the oldest'),
})

export const makeCall: Tool<z.output<typeof makeCallInput>> = {
  name: 'make_call',
  description:
    'Call a phone: a message is read out, or an agent speaks with the person. Follow the call with list_calls.',
  input: makeCallInput,
  effect: 'once',
  risk: 'send',
  summarize: ({ to, message, task }) => `Call ${to}: ${(message ?? task ?? '').slice(0, 500)}`,
  async run(call, body) {
    const { id, status } = await callEndpoint(call, calls.create, {
      body,
      idempotencyKey: call.idempotencyKey,
    })
    return { id, status }
  },
}

const sendSmsInput = z.strictObject({
  to: z.string().max(16).describe('With country code: +4930123456'),
  body: z.string().min(1).max(TELEPHONY_LIMITS.smsBody),
  from: z.string().max(16).optional(),
  files: z.array(z.uuid()).max(TELEPHONY_LIMITS.media).optional(),
})

export const sendSms: Tool<z.output<typeof sendSmsInput>> = {
  name: 'send_sms',
  description: 'Send a text message to a phone, with files by their ids.',
  input: sendSmsInput,
  effect: 'once',
  risk: 'send',
  summarize: ({ to, body }) => `Send a text message to ${to}: ${body.slice(0, 500)}`,
  async run(call, { to, body, from, files }) {
    const { id, status, segments } = await callEndpoint(call, sms.send, {
      body: { to, body, ...(from && { from }), ...(files && { mediaFileIds: files }) },
      idempotencyKey: call.idempotencyKey,
    })
    return { id, status, segments }
  },
}
