import { z } from 'zod'
import { SAMPLE_MINUTES } from '../../../../contract/organizations/health-options.ts'
import type { Context, JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { countTasks, readBacklogs } from './health-queries.ts'

const DAY_MS = 86_400_000

const takeSample = job('operations.sample', z.object({}), { maxAttempts: 1 })

export const sampleJobs = [onJob(takeSample, recordSample)]
export const sampleSchedules = [{ job: takeSample, cron: '* * * * *' }]

/** One row per minute, whichever process takes it. */
async function recordSample({ sql, now }: Pick<JobContext, 'sql' | 'now'>) {
  const queues = [...(await countTasks(sql)), ...(await readBacklogs(sql, now()))]
  await insertSample(sql, {
    at: now(),
    waiting: queues.reduce((sum, queue) => sum + queue.waiting, 0),
    lagSeconds: Math.max(0, ...queues.map(({ lagSeconds }) => lagSeconds)),
  })
  await deleteSamplesBefore(sql, new Date(now().getTime() - DAY_MS))
}

export const readSamples = async ({ sql, now }: Pick<Context, 'sql' | 'now'>) => ({
  items: [...(await listSamples(sql, new Date(now().getTime() - DAY_MS)))],
})

const insertSample = (
  sql: Sql,
  { at, waiting, lagSeconds }: { at: Date; waiting: number; lagSeconds: number },
) => sql`
  insert into health_samples (at, waiting, lag_s) values (date_trunc('minute', ${at}::timestamptz), ${waiting}, ${lagSeconds})
  on conflict do nothing`

const deleteSamplesBefore = (sql: Sql, time: Date) => sql`delete from health_samples where at < ${time}`

interface SampleRow {
  at: string
  waiting: number
  lagSeconds: number
}

/** The highest values in each part of an hour, oldest first. */
const listSamples = (sql: Sql, since: Date) => sql<SampleRow[]>`
  select date_bin(${SAMPLE_MINUTES} * interval '1 minute', at, '2000-01-01') as at, max(waiting) as waiting,
    max(lag_s)::float8 as "lagSeconds"
  from health_samples where at >= ${since} group by 1 order by 1`
