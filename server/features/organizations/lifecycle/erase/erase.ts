import { z } from 'zod'
import { BACKUP_RETRY_MS, unlessBackupRuns } from '../../../../backup/object-removal-lock.ts'
import { inParallel } from '../../../../concurrency/in-parallel.ts'
import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { inBatch } from '../../../../database/delete-batch.ts'
import { listTenantTables, type TenantTable } from '../../../../database/tenant-tables.ts'
import { addJob, job, jobFlag, LANES, type Lane } from '../../../../jobs/job.ts'
import { onJob } from '../../../../jobs/job-handler.ts'
import { eraseAccounts } from '../../../accounts/accounts/accounts.ts'
import { updateUnowned } from '../../../files/files/files.ts'
import { addToReceipt, beginDue, isRunning, listRunning, updateDone } from './erasure-queries.ts'

const ROWS_PER_BATCH = 1000
const OBJECTS_PER_BATCH = 200
const OBJECT_CONCURRENCY = 8

/** Have their own steps: bytes first, and the suspension with the organization. */
const OWN_STEPS = ['objects', 'suspensions']

interface Subject {
  id: string
  orgId: string
}

/**
 * Uses bounded transactions, each with its receipt entry, so an interrupted job continues where it stopped. `held`: a
 * backup needs the objects, so the remaining steps wait.
 */
export async function erase(ctx: JobContext<'objects'>, subject: Subject): Promise<'done' | 'held'> {
  const { sql } = ctx
  const { orgId } = subject
  if (!(await isRunning(sql, orgId, subject.id))) return 'done'
  const tables = await listTenantTables(sql)
  await deleteJobs(sql, orgId)
  await eraseAccountBatches(ctx, subject)
  const ordinary = tables.filter(({ name }) => !OWN_STEPS.includes(name))
  // Triggers count deleted rows, and so add rows to tables that were empty.
  while ((await deleteRows(ctx, subject, ordinary)) > 0);
  if (!(await deleteObjects(ctx, subject))) return 'held'
  await ctx.transaction(async (inside) => {
    await deleteOrganization(inside.sql, orgId)
    await updateDone(inside.sql, orgId, subject.id, ctx.now())
  })
  return 'done'
}

/** Runs before memberships are deleted, because they identify the accounts. Two erasures may run concurrently. */
async function eraseAccountBatches(ctx: JobContext, { id, orgId }: Subject): Promise<void> {
  for (let count = 1; count > 0; )
    await ctx.transaction(async ({ sql }) => {
      count = await eraseAccounts(sql, orgId, { erasing: await listRunning(sql), limit: ROWS_PER_BATCH })
      await addToReceipt(sql, orgId, id, ['accounts'], count)
    })
}

async function deleteRows(ctx: JobContext, { id, orgId }: Subject, tables: TenantTable[]): Promise<number> {
  let deleted = 0
  for (const table of tables)
    for (const partition of table.leaves)
      for (let count = 1; count > 0; )
        await ctx.transaction(async ({ sql }) => {
          count = await deleteBatch(sql, orgId, { table, partition, limit: ROWS_PER_BATCH })
          if (count > 0) await addToReceipt(sql, orgId, id, ['tables', table.name], count)
          deleted += count
        })
  return deleted
}

/** Bytes go before rows, so an interrupted job finds the rows again. False while a backup runs. */
async function deleteObjects(ctx: JobContext<'objects'>, { id, orgId }: Subject): Promise<boolean> {
  for (;;) {
    const keys = await listObjectKeys(ctx.sql, orgId, OBJECTS_PER_BATCH)
    if (keys.length === 0) return true
    await updateUnowned(ctx.sql, orgId, keys)
    const isRemoved = await unlessBackupRuns(ctx.sql, () =>
      inParallel(toAsync(keys), OBJECT_CONCURRENCY, (key) => ctx.objects.remove(key)),
    )
    if (!isRemoved) return false
    await ctx.transaction(async ({ sql }) => {
      const count = await deleteObjectRows(sql, orgId, keys)
      await addToReceipt(sql, orgId, id, ['objects'], count)
      await addToReceipt(sql, orgId, id, ['tables', 'objects'], count)
    })
  }
}

async function* toAsync<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

/** In a tree, rows that no other row references go first. */
async function deleteBatch(
  sql: Sql,
  orgId: string,
  { table, partition, limit }: { table: TenantTable; partition: string; limit: number },
): Promise<number> {
  const unreferenced = table.selfReferences.map(
    ({ from, to }) => `and not exists (select from "${table.name}" x where ${equal('x', from, 't', to)})`,
  )
  const rows = sql`${sql.unsafe(partition)} t where t.org_id = ${orgId} ${sql.unsafe(unreferenced.join(' '))}`
  const { count } = await sql`delete from ${sql.unsafe(partition)} where ${inBatch(sql, rows, limit)}`
  return count
}

const equal = (left: string, from: string[], right: string, to: string[]) =>
  from.map((column, at) => `${left}.${column} = ${right}.${to[at]}`).join(' and ')

/**
 * Only jobs that haven't begun. The `bulk` lane stays: it runs despite a suspension and removes objects after their
 * rows.
 */
const deleteJobs = (sql: Sql, orgId: string) => sql`
  delete from graphile_worker._private_jobs
  where locked_at is null and flags = any(array(
    select jsonb_build_object(flag, true) from unnest(${flagsOf(orgId)}::text[]) as flag))`

const flagsOf = (orgId: string) =>
  (Object.keys(LANES) as Lane[]).filter((lane) => lane !== 'bulk').map((lane) => jobFlag(lane, orgId))

async function listObjectKeys(sql: Sql, orgId: string, limit: number): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select key from objects where org_id = ${orgId} order by key limit ${limit}`
  return rows.map(({ key }) => key)
}

async function deleteObjectRows(sql: Sql, orgId: string, keys: string[]): Promise<number> {
  const { count } = await sql`delete from objects where org_id = ${orgId} and key = any(${keys})`
  return count
}

/** Fails if the organization still has rows in another table. */
async function deleteOrganization(sql: Sql, orgId: string): Promise<void> {
  await sql`delete from suspensions where org_id = ${orgId}`
  await sql`delete from organizations where id = ${orgId}`
}

/** Not `orgId`: an organization's own jobs wait while it's suspended. */
const ErasurePayload = z.object({ erasureId: z.string(), subjectId: z.string() })

const eraseDue = job('erasures.erase-due', z.object({}), { lane: 'bulk' })
const eraseOne = job('erasures.erase', ErasurePayload, { lane: 'bulk' })

/** Also restarts erasures that have begun but have no job. */
async function startDue(ctx: JobContext): Promise<void> {
  for (const { id, orgId } of await beginDue(ctx.sql, ctx.now()))
    await ctx.sql`select ${addJob(ctx.sql, eraseOne, { erasureId: id, subjectId: orgId })}`
}

export const erasureJobs = [
  onJob(eraseDue, startDue),
  onJob(eraseOne, async (ctx, { erasureId, subjectId }) => {
    const outcome = await erase(ctx, { id: erasureId, orgId: subjectId })
    if (outcome !== 'held') return
    const runAt = new Date(ctx.now().getTime() + BACKUP_RETRY_MS)
    await ctx.sql`select ${addJob(ctx.sql, eraseOne, { erasureId, subjectId }, { runAt })}`
  }),
]
export const erasureSchedules = [{ job: eraseDue, cron: '23 * * * *' }]
