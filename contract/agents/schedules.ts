import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { endpoint, member } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, Timestamp, TimeZone, text } from '../fields.ts'
import { ProjectRef } from '../projects/projects.ts'
import { AGENT_RUN_STATUSES, AgentRun } from './agent-runs.ts'
import { PAUSE_REASON_NAMES, SCHEDULE_LIMITS } from './schedule-options.ts'

const cron = text(1, SCHEDULE_LIMITS.cron)
  .describe(
    'Minute, hour, day of the month, month and day of the week, such as `0 9 * * 1-5`; months and days may be names',
  )
  .meta({ examples: ['0 9 * * 1-5'] })

const timeZone = TimeZone.describe(
  'An IANA time zone. The times of the expression are local times of this zone',
)

const name = displayName(1, SCHEDULE_LIMITS.name)
const message = text(1, SCHEDULE_LIMITS.message)

export const Schedule = z.object({
  id: Id,
  name: z.string(),
  projectId: Id,
  projectName: z.string(),
  agentId: Id.nullable().describe('Null for a block, which names its agent'),
  agentName: z.string().nullable(),
  message: z.string().nullable().describe('The message to the agent; null for a block'),
  blockId: Id.nullable().describe('The agent block that it runs, with the workflow that follows it'),
  cron: z.string(),
  timeZone: z.string(),
  description: z.string().describe('A description of the times, such as "Every weekday at 09:00"'),
  enabled: z.boolean(),
  paused: z
    .object({
      reason: z.enum(PAUSE_REASON_NAMES),
      message: z.string(),
      at: Timestamp.nullable().describe(
        'When the server paused it, which it does when a run is due; null before',
      ),
    })
    .nullable()
    .describe('Why the server starts no runs although the schedule is enabled. `enabled: true` resumes it'),
  nextRunAt: Timestamp.nullable(),
  nextRuns: z.array(Timestamp).describe('The next three times; empty while it is disabled or paused'),
  lastRunAt: Timestamp.nullable(),
  lastOutcome: z
    .enum(['started', 'skipped', 'failed'])
    .nullable()
    .describe('`skipped`: the previous run was still active. `failed`: no run could start'),
  lastError: z.string().nullable().describe('Why no run started'),
  lastRun: z.object({ id: Id, status: z.enum(AGENT_RUN_STATUSES) }).nullable(),
  runsAs: z
    .object({ userId: Id, name: z.string(), keyId: Id.nullable() })
    .describe('The member or key whose rights its runs have: the one that last changed its action'),
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
    description: 'The schedules of the projects that you can see, newest first.',
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
      'A description of the times, and the next three. Checks the expression as `POST /schedules` does.',
    access: member(),
    query: z.object({ cron, timeZone }),
    output: z.object({ description: z.string(), nextRuns: z.array(Timestamp) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/schedules',
    summary: 'Create a schedule',
    description: `${TARGET} Its runs have the rights of the caller, and at most one is active at a time. Times are at least ${SCHEDULE_LIMITS.intervalMinutes} minutes apart.`,
    access: writes,
    body: z.object({
      name: name.optional().describe('Default: the beginning of the message, or the title of the block'),
      projectId: ProjectRef,
      agentId: Id.optional().describe('Default: the default agent'),
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
    description: `${TARGET} After a change of its action or its times, or \`enabled: true\`, its runs have the rights of the caller; a new name and \`enabled: false\` do not change them.`,
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
    description: 'Its runs stay.',
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
      'Starts a run with the rights of the caller; the next time stays as it is. Works for a disabled schedule too. Returns CONFLICT while a run of its block is active.',
    access: writes,
    params,
    output: z.object({ run: AgentRun }),
    status: 202,
    idempotent: true,
    limit: { name: 'messages', by: 'caller', capacity: 60, perSeconds: 60 },
  }),
}
