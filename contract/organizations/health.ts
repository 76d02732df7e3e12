import { z } from 'zod'
import { Id, Timestamp } from '../fields.ts'
import { HEALTH_LIMITS, OUTCOMES, QUEUES } from './health-options.ts'

const COUNTED = `counted up to ${HEALTH_LIMITS.counted.toLocaleString('en-US')}`

export const HealthSummary = z.object({
  jobs: z.object({
    waiting: z.int().describe(`Jobs that have not run; ${COUNTED}`),
    dead: z.int(),
    lagSeconds: z.number().describe('Age of the oldest job that is ready to run'),
    workers: z.int().describe('Processes that run jobs'),
  }),
  mail: z.object({
    configured: z.boolean().describe('Whether this server sends email'),
    unsent: z.int().describe('Emails that are more than five minutes overdue, at most 100'),
  }),
  storage: z.object({
    description: z.string(),
    available: z.boolean().describe('Whether stored files can be read'),
    full: z.boolean().describe('Whether uploads fail because no space is left'),
    checkedAt: Timestamp.describe('This process’s last check; it checks every few seconds'),
    problem: z.string().nullable(),
  }),
  disk: z
    .object({ freeBytes: z.int(), totalBytes: z.int() })
    .nullable()
    .describe('For the data folder; null if the system does not report it'),
  backup: z.object({
    last: z
      .object({
        createdAt: Timestamp.describe('Later changes are not in the backup'),
        host: z.string().describe('Machine that made it'),
        folder: z.string(),
        bytes: z.int(),
        lackingObjects: z.int().describe('Files that the file storage had lost or changed'),
      })
      .nullable()
      .describe('Last complete and verified backup; null if none is recorded'),
    isOverdue: z
      .boolean()
      .describe(
        'Whether the last backup is more than two days old, or the installation is and has no backup',
      ),
  }),
  openFeedback: z.int().describe('Unanswered feedback, at most 100'),
})

export const Job = z.object({
  id: z.string(),
  task: z.string(),
  state: z.enum(['waiting', 'running', 'retrying', 'dead']),
  attempts: z.int(),
  maxAttempts: z.int(),
  lastError: z.string().nullable(),
  runAt: Timestamp,
  createdAt: Timestamp,
})

const Problem = z.object({
  level: z.enum(['warning', 'critical']),
  code: z.string().describe('Stable name, such as `jobs_late`'),
  message: z.string(),
})

const Lane = z.object({
  lane: z.string(),
  waiting: z.int(),
  running: z.int(),
  retrying: z.int(),
  dead: z.int(),
  lagSeconds: z.number().describe('Age of the lane’s oldest job that is ready to run'),
})

const Backlog = z.object({
  queue: z.enum(QUEUES),
  waiting: z.int().describe(COUNTED),
  lagSeconds: z.number().describe('How long the oldest has been due'),
})

const Sources = z
  .object({
    syncing: z.int().describe('Syncs in progress'),
    waiting: z.int().describe('Due, while others sync'),
    failing: z.int().describe('Failed and tried again, or paused by the server'),
  })
  .describe(`Synced knowledge sources; each ${COUNTED}`)

const Outcome = z.object({ name: z.enum(OUTCOMES), total: z.int(), failed: z.int() })

const Process = z.object({
  id: Id,
  role: z.string(),
  version: z.string(),
  host: z.string(),
  pid: z.int(),
  startedAt: Timestamp,
  seenAt: Timestamp.describe('Last heartbeat'),
  isAlive: z.boolean().describe('Whether it has reported within half a minute'),
  isCurrent: z.boolean().describe('Whether this process answers the request'),
  rssBytes: z.int(),
  heapBytes: z.int(),
  busy: z.number().describe('Share of time that its event loop was busy, from 0 to 1'),
  openStreams: z.int(),
  clockOffsetMs: z
    .int()
    .describe('How far its clock is ahead of the database; a worker off by more than 5 s runs nothing'),
  requests: z.int(),
})

const OrganizationLoad = z.object({
  id: Id,
  name: z.string(),
  requests: z.int(),
  seconds: z.number().describe('Time its requests took'),
  runs: z.int().describe('Queued or running runs'),
  deliveries: z.int().describe('Waiting deliveries, at most 1,000'),
  jobs: z.int().describe(`Waiting or running jobs, among the first ${HEALTH_LIMITS.counted} jobs`),
})

const Database = z.object({
  bytes: z.int(),
  connections: z.int(),
  connectionsMax: z.int(),
  tables: z
    .array(
      z.object({
        name: z.string(),
        bytes: z.int(),
        rows: z.int().describe('Estimated'),
        added: z.int().describe('Rows inserted minus rows deleted, since PostgreSQL reset its statistics'),
      }),
    )
    .describe('Largest tables, with their indexes and partitions'),
  standby: z
    .object({
      lag: z
        .object({ bytes: z.int(), seconds: z.number() })
        .nullable()
        .describe('How far it is behind the primary; null if it does not respond'),
      reads: z.int().describe('Lists run by the standby'),
      primaryReads: z.int().describe('Lists run by the primary because the standby was behind or failed'),
    })
    .nullable()
    .describe('Null without `DATABASE_READ_URL`. Counts lists from the last minutes, across all processes'),
  statements: z.object({
    source: z
      .enum(['pg_stat_statements', 'pg_stat_activity'])
      .describe('Without the extension, statements that have been running for more than a second'),
    items: z.array(
      z.object({
        query: z.string().describe('First 300 characters, without values'),
        calls: z.int().nullable(),
        meanMs: z.number().describe('Mean time per call; for a running statement, the time so far'),
        maxMs: z.number().nullable(),
        totalMs: z.number().nullable(),
      }),
    ),
  }),
})

export const Health = HealthSummary.extend({
  at: Timestamp,
  status: z.enum(['ok', 'warning', 'critical']),
  problems: z.array(Problem),
  lanes: z.array(Lane),
  backlogs: z.array(Backlog),
  sources: Sources,
  deadJobs: z.array(Job).describe(`The first ${HEALTH_LIMITS.deadJobs} to fail`),
  windowMinutes: z.int().describe('Period covered by `outcomes` and by process and organization requests'),
  outcomes: z.array(Outcome).describe('Across all processes that report'),
  processes: z.array(Process),
  organizations: z.array(OrganizationLoad).describe('Organizations with the most load now'),
  database: Database,
  objects: z.object({
    files: z.int(),
    bytes: z.int().describe('Total file size in all organizations, as their quotas count it'),
  }),
})
