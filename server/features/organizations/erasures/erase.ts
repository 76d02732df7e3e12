import { unlessBackupRuns } from '../../../backup/object-removal-lock.ts'
import { inParallel } from '../../../concurrency/in-parallel.ts'
import type { JobContext } from '../../../context.ts'
import { listTenantTables, type TenantTable } from '../../../database/tenant-tables.ts'
import { eraseAccounts } from '../../accounts/accounts/accounts.ts'
import { updateUnowned } from '../../files/files/files.ts'
import {
  deleteBatch,
  deleteJobs,
  deleteObjectRows,
  deleteOrganization,
  listObjectKeys,
} from './delete-queries.ts'
import { addToReceipt, isRunning, listRunning, updateDone } from './erasure-queries.ts'

const ROWS_PER_BATCH = 1000
const OBJECTS_PER_BATCH = 200
const OBJECT_CONCURRENCY = 8

/** Tables that are deleted by steps of their own: the bytes first, and the suspension with the organization itself. */
const OWN_STEPS = ['objects', 'suspensions']

interface Subject {
  id: string
  orgId: string
}

/**
 * Deletes everything of an organization, in transactions of bounded size, each with its entry in the receipt. A job that is
 * interrupted is repeated, and continues where it ended. `held`: a backup needs the objects, so the remaining steps
 * wait.
 */
export async function erase(ctx: JobContext, subject: Subject): Promise<'done' | 'held'> {
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

/**
 * Runs before the memberships are deleted, by which accounts are found. Erasures of two organizations may run
 * concurrently.
 */
async function eraseAccountBatches(ctx: JobContext, { id, orgId }: Subject): Promise<void> {
  for (let count = 1; count > 0; )
    await ctx.transaction(async ({ sql }) => {
      count = await eraseAccounts(sql, orgId, { erasing: await listRunning(sql), limit: ROWS_PER_BATCH })
      await addToReceipt(sql, orgId, id, ['accounts'], count)
    })
}

/** Returns how many rows it deleted. */
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

/** Removes the bytes before the rows: an interrupted job finds the rows again. False while a backup runs. */
async function deleteObjects(ctx: JobContext, { id, orgId }: Subject): Promise<boolean> {
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
