import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { endpoint, member } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, Timestamp, TimeZone, text } from '../fields.ts'
import { ProjectRef } from '../projects/projects.ts'
import { AGENT_RUN_STATUSES, AgentRun } from './agent-runs.ts'
import { PAUSE_REASON_NAMES, SCHEDULE_LIMITS } from './schedule-options.ts'

const cron = text(1, SCHEDULE_LIMITS.cron)
  .describe(
    'Minute, hour, day of month, month and day of week, such as `0 9 * * 1-5`; months and days can be names',
  )
  .meta({ examples: ['0 9 * * 1-5'] })

const timeZone = TimeZone.describe('IANA time zone in which the expression’s times are interpreted')

const name = displayName(1, SCHEDULE_LIMITS.name)
const message = text(1, SCHEDULE_LIMITS.message)

export const Schedule = z.object({
  id: Id,
  name: z.string(),
  projectId: Id,
  projectName: z.string(),
  agentId: Id.nullable().describe('Null for a block, which specifies its agent'),
  agentName: z.string().nullable(),
  message: z.string().nullable().describe('Message to the agent; null for a block'),
  blockId: Id.nullable().describe('Agent block that it runs, with the downstream workflow'),
  cron: z.string(),
  timeZone: z.string(),
  description: z.string().describe('Description of the times, such as "Every weekday at 09:00"'),
  enabled: z.boolean(),
  paused: z
    .object({
      reason: z.enum(PAUSE_REASON_NAMES),
      message: z.string(),
      at: Timestamp.nullable().describe(
        'When the server paused it, which happens when a run is due; null if not paused',
      ),
    })
    .nullable()
    .describe(
      'Why the server starts no runs although the schedule is enabled. Set `enabled: true` to resume it',
    ),
  nextRunAt: Timestamp.nullable(),
  nextRuns: z.array(Timestamp).describe('Next three times; empty while it is disabled or paused'),
  lastRunAt: Timestamp.nullable(),
  lastOutcome: z
    .enum(['started', 'skipped', 'failed'])
    .nullable()
    .describe('`skipped`: the previous run was still active. `failed`: no run could start'),
  lastError: z.string().nullable().describe('Why no run started'),
  lastRun: z.object({ id: Id, status: z.enum(AGENT_RUN_STATUSES) }).nullable(),
  runsAs: z
    .object({ userId: Id, name: z.string(), keyId: Id.nullable() })
    .describe('Member or key whose permissions its runs have: whoever last changed its action'),
  canEdit: z.boolean(),
  createdBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

const params = z.object({ id: Id })
const writes = member({ edits: true })
const limit = { name: 'schedules', by: 'caller', capacity: 120, perSeconds: 60 } as const
const TARGET = 'Either `agentId` and `message`, or `blockId`.'

export const schedules = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/schedules',
    summary: 'List schedules',
    description: 'Schedules in the projects you can see, newest first.',
    access: member(),
    query: z.object({ ...cursorQuery, projectId: ProjectRef.optional(), agentId: Id.optional() }),
    output: cursorPage(Schedule),
    tool: 'read',
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/v1/schedules/preview',
    summary: 'Preview a cron expression',
    description:
      'Returns a description of the times and the next three. Checks the expression like `POST /schedules`.',
    access: member(),
    query: z.object({ cron, timeZone }),
    output: z.object({ description: z.string(), nextRuns: z.array(Timestamp) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/schedules',
    summary: 'Create a schedule',
    description: `${TARGET} Its runs have the caller’s permissions, and at most one is active at a time. Times must be at least ${SCHEDULE_LIMITS.intervalMinutes} minutes apart.`,
    access: writes,
    body: z.object({
      name: name.optional().describe('Defaults to the start of the message, or the block title'),
      projectId: ProjectRef,
      agentId: Id.optional().describe('Defaults to the default agent'),
      message: message.optional(),
      blockId: Id.optional(),
      cron,
      timeZone: timeZone.default('UTC'),
      enabled: z.boolean().default(true),
    }),
    output: Schedule,
    status: 201,
    idempotent: true,
    limit,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/schedules/:id',
    summary: 'Get a schedule',
    description: '`GET /runs?scheduleId=` lists its runs.',
    access: member(),
    params,
    output: Schedule,
    tool: 'read',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/schedules/:id',
    summary: 'Update a schedule',
    description: `${TARGET} After its action or times change, or with \`enabled: true\`, its runs have the caller’s permissions; a new name and \`enabled: false\` do not change them.`,
    access: writes,
    params,
    body: z
      .object({ name, agentId: Id, message, blockId: Id, cron, timeZone, enabled: z.boolean() })
      .partial()
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must have at least one field to change',
      })
      .meta({ examples: [{ enabled: false }] }),
    output: Schedule,
    limit,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/schedules/:id',
    summary: 'Delete a schedule',
    description: 'Its runs are kept.',
    access: writes,
    params,
    output: z.object({ deleted: z.literal(true) }),
    limit,
  }),
  run: endpoint({
    method: 'POST',
    path: '/api/v1/schedules/:id/run',
    summary: 'Run a schedule now',
    description:
      'Starts a run with the caller’s permissions; the next scheduled time does not change. Also works for a disabled schedule. Returns CONFLICT while its block has an active run.',
    access: writes,
    params,
    output: z.object({ run: AgentRun }),
    status: 202,
    idempotent: true,
    limit: { name: 'messages', by: 'caller', capacity: 60, perSeconds: 60 },
  }),
}
