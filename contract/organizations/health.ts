import { z } from 'zod'
import { Id, Timestamp } from '../fields.ts'
import { HEALTH_LIMITS, OUTCOMES, QUEUES } from './health-options.ts'

const COUNTED = `counted up to ${HEALTH_LIMITS.counted.toLocaleString('en-US')}`

export const HealthSummary = z.object({
  jobs: z.object({
    waiting: z.int().describe(`Jobs that have not run; ${COUNTED}`),
    dead: z.int(),
    lagSeconds: z.number().describe('The age of the oldest job that is ready to run'),
    workers: z.int().describe('Processes that run jobs'),
  }),
  mail: z.object({
    configured: z.boolean().describe('Whether this server sends email'),
    unsent: z.int().describe('Emails that were to be sent more than five minutes ago; at most 100'),
  }),
  storage: z.object({
    description: z.string(),
    available: z.boolean().describe('Whether stored files can be read'),
    full: z.boolean().describe('Whether uploads fail because no space is left'),
    checkedAt: Timestamp.describe('The last check of this process, which checks every few seconds'),
    problem: z.string().nullable(),
  }),
  disk: z
    .object({ freeBytes: z.int(), totalBytes: z.int() })
    .nullable()
    .describe('Of the data folder; null if the system does not report it'),
  backup: z.object({
    last: z
      .object({
        createdAt: Timestamp.describe('Later changes are not in the backup'),
        host: z.string().describe('The machine that made it'),
        folder: z.string(),
        bytes: z.int(),
        lackingObjects: z.int().describe('Files that the file storage had lost or changed'),
      })
      .nullable()
      .describe('The last backup that is complete and verified; null if none is recorded'),
    isOverdue: z
      .boolean()
      .describe('Whether the last backup is more than two days old, or the installation is and has none'),
  }),
  openFeedback: z.int().describe('Feedback without an answer; at most 100'),
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
  code: z.string().describe('A stable name, such as `jobs_late`'),
  message: z.string(),
})

const Lane = z.object({
  lane: z.string(),
  waiting: z.int(),
  running: z.int(),
  retrying: z.int(),
  dead: z.int(),
  lagSeconds: z.number().describe('The age of the oldest job of the lane that is ready to run'),
})

const Backlog = z.object({
  queue: z.enum(QUEUES),
  waiting: z.int().describe(COUNTED),
  lagSeconds: z.number().describe('How long the oldest has been due'),
})

const Outcome = z.object({ name: z.enum(OUTCOMES), total: z.int(), failed: z.int() })

const Process = z.object({
  id: Id,
  role: z.string(),
  version: z.string(),
  host: z.string(),
  pid: z.int(),
  startedAt: Timestamp,
  seenAt: Timestamp.describe('The last heartbeat'),
  isAlive: z.boolean().describe('Whether it has reported within half a minute'),
  isCurrent: z.boolean().describe('Whether it is the process that answers this request'),
  rssBytes: z.int(),
  heapBytes: z.int(),
  busy: z.number().describe('The share of its time that its event loop was busy, from 0 to 1'),
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
  seconds: z.number().describe('Time that its requests took'),
  runs: z.int().describe('Runs that are queued or running'),
  deliveries: z.int().describe('Deliveries that wait; at most 1,000'),
  jobs: z.int().describe(`Jobs that wait or run; of the first ${HEALTH_LIMITS.counted} jobs`),
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
        added: z.int().describe('Rows inserted less rows deleted, since PostgreSQL reset its statistics'),
      }),
    )
    .describe('The largest, with their indexes and partitions'),
  standby: z
    .object({
      lag: z
        .object({ bytes: z.int(), seconds: z.number() })
        .nullable()
        .describe('How far it is behind the primary; null if it does not respond'),
      reads: z.int().describe('Lists that the standby ran'),
      primaryReads: z.int().describe('Lists that the primary ran because the standby was behind or failed'),
    })
    .nullable()
    .describe('Null without `DATABASE_READ_URL`. The lists are those of the last minutes, of all processes'),
  statements: z.object({
    source: z
      .enum(['pg_stat_statements', 'pg_stat_activity'])
      .describe('Without the extension, the statements that have been running for more than a second'),
    items: z.array(
      z.object({
        query: z.string().describe('Its first 300 characters, without values'),
        calls: z.int().nullable(),
        meanMs: z.number().describe('The mean time of a call; of a running statement, the time so far'),
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
  deadJobs: z.array(Job).describe(`The ${HEALTH_LIMITS.deadJobs} that failed first`),
  windowMinutes: z
    .int()
    .describe('The period that `outcomes` and the requests of processes and organizations cover'),
  outcomes: z.array(Outcome).describe('Of all processes that report'),
  processes: z.array(Process),
  organizations: z.array(OrganizationLoad).describe('The organizations with the most load now'),
  database: Database,
  objects: z.object({
    files: z.int(),
    bytes: z.int().describe('Of the files of all organizations, as their quotas count them'),
  }),
})
