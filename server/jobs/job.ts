import type { z } from 'zod'
import type { Fragment, Sql } from '../database/database.ts'
import { currentTraceparent } from '../observability/tracing.ts'

/** Runs at least once, on any worker: handlers must be idempotent. */
export interface Job<P = unknown> extends JobSettings {
  name: string
  payload: z.ZodType<P>
}

interface JobSettings {
  lane?: Lane
  /** Then the job is dead: stored, shown to operators, and rerun only on request. */
  maxAttempts?: number
  /** Jobs enqueued under these before an upgrade still run. */
  retiredNames?: readonly string[]
}

/**
 * Parallel jobs per process. Lanes have their own workers, so long jobs delay no other lane. Organizations take turns,
 * and one can use all workers but one.
 */
export const LANES = {
  /** Needed before a user can sign in, such as the email with the link. */
  'sign-in': 2,
  mail: 4,
  default: 4,
  /** May take minutes. */
  bulk: 2,
}
export type Lane = keyof typeof LANES

interface JobOptions {
  runAt?: Date
  /** Default: the payload's `orgId`. */
  orgId?: string
  /** Lower runs first. Default: the organization's waiting jobs in the lane. */
  priority?: Fragment
}

export type Enqueue = <P>(job: Job<P>, payload: P, options?: JobOptions) => Promise<unknown>

/** With exponential backoff, the last comes about sixteen hours after the first. */
const MAX_ATTEMPTS = 12

export const declaredJobs = new Map<string, Job>()

/** The server doesn't start while a declared job has no handler. */
export function job<P>(name: string, payload: z.ZodType<P>, settings: JobSettings = {}): Job<P> {
  const declaration = { name, payload, ...settings }
  for (const identifier of jobIdentifiers(declaration)) {
    if ([...declaredJobs.values()].some((other) => jobIdentifiers(other).includes(identifier))) {
      throw new Error(`The job ${identifier} is declared twice`)
    }
  }
  declaredJobs.set(name, declaration)
  return declaration
}

export const jobIdentifiers = ({ name, retiredNames = [] }: Pick<Job, 'name' | 'retiredNames'>) => [
  name,
  ...retiredNames,
]

/** Inside a larger statement, change and job cost one round trip. */
export function addJob<P>(sql: Sql, job: Job<P>, payload: P, options: JobOptions = {}): Fragment {
  const orgId = options.orgId ?? (payload as { orgId?: string }).orgId
  const flag = orgId === undefined ? null : jobFlag(job.lane ?? 'default', orgId)
  return sql`graphile_worker.add_job(
    identifier => ${job.name}, payload => ${sql.json(withTrace(payload) as never)}::json,
    run_at => ${options.runAt?.toISOString() ?? null}::timestamptz,
    max_attempts => ${job.maxAttempts ?? MAX_ATTEMPTS}::int,
    priority => ${options.priority ?? (flag === null ? sql`null::int` : countWaiting(sql, flag))},
    flags => ${flag === null ? null : [flag]}::text[]
  )` as Fragment
}

/** Beside the payload: the job's schema drops it. */
export const TRACE_FIELD = '_trace'

function withTrace(payload: unknown): unknown {
  const trace = currentTraceparent()
  return trace === null ? payload : { ...(payload as object), [TRACE_FIELD]: trace }
}

/** Workers skip an organization's jobs by this flag. */
export const jobFlag = (lane: Lane, orgId: string): string => `${lane} ${orgId}`

/** Beyond this, large backlogs run in arrival order. */
const BACKLOG_COUNTED_MAX = 1000

/** Every organization's first job runs before any other's second. */
const countWaiting = (sql: Sql, flag: string): Fragment =>
  sql`(
    select count(*)::int from (
      select from graphile_worker._private_jobs
      where flags = jsonb_build_object(${flag}::text, true) limit ${BACKLOG_COUNTED_MAX}
    ) waiting
  )` as Fragment
