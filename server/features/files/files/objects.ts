import { z } from 'zod'
import { BACKUP_RETRY_MS, unlessBackupRuns } from '../../../backup/object-removal-lock.ts'
import type { Context, PublicContext } from '../../../context.ts'
import { isInTransaction } from '../../../database/transaction.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { randomHex } from '../../../security/random.ts'
import { partsOfKey } from '../../../storage/object-store.ts'
import {
  deleteObject,
  deleteUnowned,
  hasObject,
  insertObject,
  lockUnowned,
  updateStored,
  updateUnowned,
} from './object-queries.ts'

export const newObjectKey = (orgId: string): string => `${orgId}/${randomHex(16)}`

/** No record owns the object yet: see `claimContent` and `insertUpload`. */
export async function storeContent(
  ctx: PublicContext<'objects'>,
  orgId: string,
  content: AsyncIterable<Uint8Array>,
): Promise<string> {
  const key = newObjectKey(orgId)
  await insertObject(ctx.sql, orgId, key, ctx.now())
  try {
    await ctx.objects.put(key, content)
  } catch (error) {
    await discardObject(ctx, orgId, key)
    throw error
  }
  return key
}

/** For content that isn't a file. Call it in the owning record's transaction. `removeContent` removes it. */
export async function claimContent(
  { sql, now }: Pick<PublicContext, 'sql' | 'now'>,
  orgId: string,
  key: string,
): Promise<void> {
  if (!(await updateStored(sql, orgId, key, now()))) throw new Error('The sweep removed the content')
}

const REMOVED_AGAIN_AFTER_MS = 600_000

/**
 * Deletes the row first, so no record can claim the object while its bytes are removed. A job removes them again later:
 * if the sweep or an erasure deleted the row during the write, nothing else finds them.
 */
export async function discardObject(
  ctx: PublicContext<'objects'>,
  orgId: string,
  key: string,
): Promise<void> {
  const isUnowned = await ctx.transaction(async ({ sql, enqueue }) => {
    if (!(await lockUnowned(sql, orgId, key)) && (await hasObject(sql, orgId, key))) return false
    await deleteObject(sql, orgId, key)
    const runAt = new Date(ctx.now().getTime() + REMOVED_AGAIN_AFTER_MS)
    await enqueue(removeObjects, { keys: [key] }, { runAt, orgId })
    return true
  })
  if (!isUnowned || isInTransaction(ctx.sql)) return
  await unlessBackupRuns(ctx.sql, () => ctx.objects.remove(key)).catch(() => {})
}

/**
 * Returns false while a backup runs, which may copy the content. Until the bytes are gone, the row stays for the sweep
 * as unowned, so no later backup needs them.
 */
export async function removeContent(
  ctx: PublicContext<'objects'>,
  orgId: string,
  key: string,
): Promise<boolean> {
  await updateUnowned(ctx.sql, orgId, [key])
  if (!(await unlessBackupRuns(ctx.sql, () => ctx.objects.remove(key)))) return false
  await deleteObject(ctx.sql, orgId, key)
  return true
}

const KEYS_PER_JOB = 500

/** Records may share an object. It's removed with the last one. */
export async function removeUnownedObjects(
  ctx: Pick<Context, 'sql' | 'enqueue'>,
  orgId: string,
  keys: string[],
): Promise<void> {
  if (keys.length === 0) return
  const unowned = await deleteUnowned(ctx.sql, orgId, [...new Set(keys)])
  for (let at = 0; at < unowned.length; at += KEYS_PER_JOB) {
    await ctx.enqueue(removeObjects, { keys: unowned.slice(at, at + KEYS_PER_JOB) }, { orgId })
  }
}

/** Idempotent, because keys are never reused. */
export const removeObjects = job('files.remove-objects', z.object({ keys: z.array(z.string()) }), {
  lane: 'bulk',
})

export const onRemoveObjects = onJob(removeObjects, async ({ sql, objects, now, enqueue }, { keys }) => {
  const isRemoved = await unlessBackupRuns(sql, async () => {
    for (const key of keys) await objects.remove(key)
  })
  if (isRemoved || keys.length === 0) return
  const runAt = new Date(now().getTime() + BACKUP_RETRY_MS)
  await enqueue(removeObjects, { keys }, { runAt, orgId: partsOfKey(keys[0]!).org })
})
