import type { z } from 'zod'
import type { Fragment, Sql } from '../database/database.ts'
import { currentTraceparent } from '../observability/tracing.ts'

/** Durable work that any worker runs later, at least once: its handler must be idempotent. */
export interface Job<P = unknown> extends JobSettings {
  name: string
  payload: z.ZodType<P>
}

interface JobSettings {
  lane?: Lane
  /** After this many failures the job is dead: stored, shown to operators, and run again only on their request. */
  maxAttempts?: number
  /** Earlier names of the job. Jobs enqueued under them before an upgrade still run. */
  retiredNames?: readonly string[]
}

/**
 * How many jobs of a lane one process runs in parallel. Each lane has its own workers, so long jobs of one lane never delay
 * the jobs of another. One organization uses all but one of them, and organizations take turns.
 */
export const LANES = {
  /** Jobs that have to finish before a person can sign in, such as the mail with the link. */
  'sign-in': 2,
  mail: 4,
  default: 4,
  /** Work that may take minutes. */
  bulk: 2,
}
export type Lane = keyof typeof LANES

interface JobOptions {
  runAt?: Date
  /** The organization that the job is for. Default: `orgId` of the payload. */
  orgId?: string
  /** An integer; jobs of a lane with a lower one run first. Default: how many jobs of the organization wait in the lane. */
  priority?: Fragment
}

export type Enqueue = <P>(job: Job<P>, payload: P, options?: JobOptions) => Promise<unknown>

/** With exponential backoff, the last attempt comes about sixteen hours after the first. */
const MAX_ATTEMPTS = 12

export const declaredJobs = new Map<string, Job>()

/** Declares a job. The server does not start while a declared job has no handler. */
export function job<P>(name: string, payload: z.ZodType<P>, settings: JobSettings = {}): Job<P> {
  const declaration = { name, payload, ...settings }
  for (const identifier of identifiersOf(declaration)) {
    if ([...declaredJobs.values()].some((other) => identifiersOf(other).includes(identifier))) {
      throw new Error(`The job ${identifier} is declared twice`)
    }
  }
  declaredJobs.set(name, declaration)
  return declaration
}

/** The identifiers under which a job may be stored. */
export const identifiersOf = ({ name, retiredNames = [] }: Pick<Job, 'name' | 'retiredNames'>) => [
  name,
  ...retiredNames,
]

/** The SQL call that enqueues a job, for use inside a larger statement: change and job cost one round trip. */
export function addJob<P>(sql: Sql, job: Job<P>, payload: P, options: JobOptions = {}): Fragment {
  const orgId = options.orgId ?? (payload as { orgId?: string }).orgId
  const flag = orgId === undefined ? null : flagOf(job.lane ?? 'default', orgId)
  return sql`graphile_worker.add_job(
    identifier => ${job.name}, payload => ${sql.json(withTrace(payload) as never)}::json,
    run_at => ${options.runAt?.toISOString() ?? null}::timestamptz,
    max_attempts => ${job.maxAttempts ?? MAX_ATTEMPTS}::int,
    priority => ${options.priority ?? (flag === null ? sql`null::int` : countWaiting(sql, flag))},
    flags => ${flag === null ? null : [flag]}::text[]
  )` as Fragment
}

/** The field beside the payload that continues the trace of the cause; the schema of the job drops it. */
export const TRACE_FIELD = '_trace'

function withTrace(payload: unknown): unknown {
  const trace = currentTraceparent()
  return trace === null ? payload : { ...(payload as object), [TRACE_FIELD]: trace }
}

/** The flag of the jobs of an organization, by which workers skip them. */
export const flagOf = (lane: Lane, orgId: string): string => `${lane} ${orgId}`

/**
 * Jobs beyond this count have the same priority, so they run in the order of their arrival with those of other large
 * backlogs.
 */
const BACKLOG_COUNTED_MAX = 1000

/** The first job of an organization is due before the second job of any other. */
const countWaiting = (sql: Sql, flag: string): Fragment =>
  sql`(
    select count(*)::int from (
      select from graphile_worker._private_jobs
      where flags = jsonb_build_object(${flag}::text, true) limit ${BACKLOG_COUNTED_MAX}
    ) waiting
  )` as Fragment
