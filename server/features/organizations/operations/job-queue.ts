import type { z } from 'zod'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Job } from '../../../../contract/organizations/health.ts'
import type { operations as endpoints } from '../../../../contract/organizations/operations.ts'
import type { Context } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { notFound, raise } from '../../../errors.ts'

const JOBS_SHOWN_MAX = 100

export async function listJobs(ctx: Context) {
  return { items: [...(await findJobs(ctx.sql, JOBS_SHOWN_MAX))] }
}

export function retryJob(ctx: Context, { id }: InputOf<typeof endpoints.retryJob>) {
  return ctx.transaction(async ({ sql }) => {
    if (!(await reviveJob(sql, id))) throw notFound('Dead job')
    return (await findJob(sql, id)) ?? raise(notFound('Dead job'))
  })
}

export async function discardJob(ctx: Context, { id }: InputOf<typeof endpoints.discardJob>) {
  if (!(await deleteDeadJob(ctx.sql, id))) throw notFound('Dead job')
  return { discarded: true as const }
}

// Jobs have no tenant. Only operators can call these.

type JobRow = z.output<typeof Job>

const selectJobs = (sql: Sql, clauses: Fragment) => sql<JobRow[]>`
  select id::text, task_identifier as task, attempts, max_attempts as "maxAttempts", last_error as "lastError",
    run_at as "runAt", created_at as "createdAt", case
      when locked_at is not null then 'running' when attempts >= max_attempts then 'dead'
      when attempts > 0 then 'retrying' else 'waiting' end as state
  from graphile_worker.jobs ${clauses}`

const findJobs = (sql: Sql, limit: number) =>
  selectJobs(sql, sql`order by attempts >= max_attempts desc, run_at, id limit ${limit}`)

export const listDeadJobs = (sql: Sql, limit: number) =>
  selectJobs(
    sql,
    sql`where attempts >= max_attempts and locked_at is null order by run_at, id limit ${limit}`,
  )

async function findJob(sql: Sql, id: string) {
  const [row] = await selectJobs(sql, sql`where id = ${id}::bigint`)
  return row ?? null
}

const fromDeadJob = (sql: Sql, id: string) => sql`
  from graphile_worker.jobs where id = ${id}::bigint and attempts >= max_attempts and locked_at is null`

async function reviveJob(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql`
    select (graphile_worker.reschedule_jobs(array[id], run_at => now(), attempts => 0)).id ${fromDeadJob(sql, id)}`
  return rows.length > 0
}

async function deleteDeadJob(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql`select (graphile_worker.complete_jobs(array[id])).id ${fromDeadJob(sql, id)}`
  return rows.length > 0
}
