import type { z } from 'zod'
import type { JobContext } from '../context.ts'
import type { Fragment, Sql } from '../database/database.ts'

/** A kind of work that is done later, at least once, by any worker; its handler must bear being run twice. */
export interface Job<P = unknown> {
  name: string
  payload: z.ZodType<P>
}

export interface JobHandler {
  job: Job
  run: (ctx: JobContext, payload: never) => Promise<void>
}

export interface JobOptions {
  runAt?: Date
}

export type Enqueue = <P>(job: Job<P>, payload: P, options?: JobOptions) => Promise<unknown>

/** After this many failures a job is dead: kept, shown to operators, and run again only by hand. Takes about sixteen hours. */
const ATTEMPTS_MAX = 12

export const declaredJobs = new Map<string, Job>()

/** Declares a job; the boot refuses one that no handler was given for. */
export function job<P>(name: string, payload: z.ZodType<P>): Job<P> {
  if (declaredJobs.has(name)) throw new Error(`The job ${name} is declared twice`)
  const declaration = { name, payload }
  declaredJobs.set(name, declaration)
  return declaration
}

export const onJob = <P>(job: Job<P>, run: (ctx: JobContext, payload: P) => Promise<void>): JobHandler => ({
  job,
  run,
})

/** The call that adds a job, to be placed inside a larger statement so that cause and job cost one round trip. */
export function addJob<P>(sql: Sql, job: Job<P>, payload: P, options: JobOptions = {}): Fragment {
  return sql`graphile_worker.add_job(
    identifier => ${job.name}, payload => ${sql.json(payload as never)}::json,
    run_at => ${options.runAt?.toISOString() ?? null}::timestamptz, max_attempts => ${ATTEMPTS_MAX}::int
  )` as Fragment
}
