import type { JobContext } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import { finalize } from './presigned-upload.ts'
import { discardObject } from './store-upload.ts'
import { deletePending, findPending, listUnowned, type UnownedObject } from './sweep-queries.ts'

const ABANDONED_AFTER_MS = 24 * 3_600_000
const BATCH = 200

/** Removes abandoned uploads. A presigned upload that was sent but never read is finalized instead. */
export async function sweepUploads(ctx: JobContext): Promise<void> {
  const before = new Date(ctx.now().getTime() - ABANDONED_AFTER_MS)
  const failures: unknown[] = []
  let last: UnownedObject | null = null
  do {
    const batch: UnownedObject[] = await listUnowned(ctx.sql, before, last, BATCH)
    for (const upload of batch) await discardUpload(ctx, upload).catch((error) => failures.push(error))
    last = batch.length === BATCH ? batch.at(-1)! : null
  } while (last)
  // One failure does not stop the others; the job is retried for it.
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} abandoned uploads could not be removed`)
}

async function discardUpload(ctx: JobContext, upload: UnownedObject): Promise<void> {
  if (upload.fileId !== null) {
    await finalizeIfStored(ctx, upload)
    await deletePending(ctx.sql, upload)
  }
  await discardObject(ctx, upload.orgId, upload.key)
}

async function finalizeIfStored(ctx: JobContext, upload: UnownedObject): Promise<void> {
  const row = await findPending(ctx.sql, upload)
  if (!row) return
  try {
    await finalize(ctx, row)
  } catch (error) {
    // The content contradicts the declaration: it is removed with its record.
    if (!(error instanceof ApiError)) throw error
  }
}
