import { z } from 'zod'
import { calls } from '../../../contract/telephony/calls.ts'
import { TELEPHONY_LIMITS } from '../../../contract/telephony/telephony-options.ts'
import { callEndpoint } from '../call-endpoint.ts'
import type { Tool } from '../tool.ts'

const input = z.strictObject({
  to: z.string().max(16).describe('With country code: +4930123456'),
  message: z
    .string()
    .min(1)
    .max(TELEPHONY_LIMITS.message)
    .optional()
    .describe('Read out; with an agent, what the agent says first'),
  agentId: z.uuid().optional().describe('The agent that speaks with the person'),
  task: z.string().min(1).max(4000).optional().describe('The task of the agent'),
  from: z.string().max(16).optional().describe('A number of the organization; default: the oldest'),
})

export const makeCall: Tool<z.output<typeof input>> = {
  name: 'make_call',
  description:
    'Call a phone: a message is read out, or an agent speaks with the person. Follow the call with list_calls.',
  input,
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
