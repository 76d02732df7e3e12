import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, TimestampInput, text } from '../fields.ts'
import { ProjectRef } from '../projects/projects.ts'
import { E164 } from './telephony-fields.ts'
import { CALL_STATUSES, DIRECTIONS, TELEPHONY_LIMITS } from './telephony-options.ts'
import { Call, CallWithTimeline } from './telephony-records.ts'

const params = z.object({ id: Id })
const edits = member({ edits: true })
const limit = { name: 'calls', by: 'caller', capacity: 30, perSeconds: 60 } as const

export const calls = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/telephony/calls',
    summary: 'List calls',
    description: 'Calls in the projects you can see, newest first.',
    access: member(),
    query: z.object({
      ...cursorQuery,
      direction: z.enum(DIRECTIONS).optional(),
      status: z.enum(CALL_STATUSES).optional(),
      open: z
        .enum(['true', 'false'], { error: 'must be true or false' })
        .optional()
        .describe('true: calls that are queued, ringing or in progress; false: calls that have ended'),
      numberId: Id.optional(),
      agentId: Id.optional(),
      projectId: ProjectRef.optional(),
      peer: E164.optional().describe('The other party’s number'),
      since: TimestampInput.optional(),
      until: TimestampInput.optional(),
    }),
    output: cursorPage(Call),
    tool: 'read',
    standby: true,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/telephony/calls/:id',
    summary: 'Get a call',
    access: member(),
    params,
    output: CallWithTimeline,
    tool: 'read',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/telephony/calls',
    summary: 'Make a call',
    description:
      'An agent talks to the recipient, or a message is read out. Returns BAD_REQUEST with the reason `no_number` if there is no number that can call, `destination_not_allowed` for a number that may not be called, and `budget_reached`.',
    access: edits,
    body: z
      .object({
        to: E164,
        agentId: Id.optional(),
        message: text(1, TELEPHONY_LIMITS.message)
          .optional()
          .describe('Text to read out; with `agentId`, the agent’s opening sentence'),
        task: text(1, 4000).optional().describe('The agent’s task'),
        from: E164.optional().describe(
          'Active voice number in a project you can edit. Defaults to the oldest',
        ),
      })
      .refine(({ agentId, message }) => agentId !== undefined || message !== undefined, {
        error: 'must have `agentId` or `message`',
      })
      .meta({ examples: [{ to: '+4930654321', message: 'Your table is ready.' }] }),
    output: CallWithTimeline,
    status: 201,
    idempotent: true,
    limit,
    failures: ['PROVIDER_ERROR'],
    tool: 'write',
  }),
  hangUp: endpoint({
    method: 'POST',
    path: '/api/v1/telephony/calls/:id/hangup',
    summary: 'End a call',
    description: 'A call that has already ended is returned unchanged.',
    access: edits,
    params,
    output: CallWithTimeline,
    limit,
    failures: ['PROVIDER_ERROR'],
    tool: 'write',
  }),
  transfer: endpoint({
    method: 'POST',
    path: '/api/v1/telephony/calls/:id/transfer',
    summary: 'Transfer a call',
    description:
      'Puts the other party on hold, dials the targets one after the other, briefs the one that answers about the call, and connects both. If no target answers, the other party returns to the agent. Returns CONFLICT unless the call is in progress and not being transferred, and BAD_REQUEST with `details.reason` = `destination_not_allowed` for a target that may not be called.',
    access: edits,
    params,
    body: z.object({
      targets: z
        .array(E164)
        .min(1, 'must have at least one number')
        .max(TELEPHONY_LIMITS.targets, `must have at most ${TELEPHONY_LIMITS.targets} numbers`),
      summary: text(1, TELEPHONY_LIMITS.message).optional().describe('Summary that the target hears first'),
    }),
    output: CallWithTimeline,
    status: 202,
    limit,
    failures: ['CONFLICT', 'PROVIDER_ERROR'],
    tool: 'write',
  }),
  whisper: endpoint({
    method: 'POST',
    path: '/api/v1/telephony/calls/:id/whisper',
    summary: 'Instruct the agent during a call',
    description: 'The other party does not hear it. Returns CONFLICT unless an agent is talking to them.',
    access: edits,
    params,
    body: z.object({ message: text(1, TELEPHONY_LIMITS.message) }),
    output: CallWithTimeline,
    status: 202,
    limit,
    failures: ['CONFLICT'],
  }),
}
