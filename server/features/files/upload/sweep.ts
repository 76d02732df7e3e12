import type { JobContext } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import { settle } from './presigned-upload.ts'
import { discardObject } from './store-upload.ts'
import { deletePending, findPending, listUnfinished, type Unfinished } from './sweep-queries.ts'

const GIVEN_UP_AFTER_MS = 24 * 3_600_000
const BATCH = 200

/** Lets go of uploads that never came or were cut off. Bytes that came and were never asked about become their file. */
export async function sweepUploads(ctx: JobContext): Promise<void> {
  const before = new Date(ctx.now().getTime() - GIVEN_UP_AFTER_MS)
  const failures: unknown[] = []
  let last: Unfinished | null = null
  do {
    const batch: Unfinished[] = await listUnfinished(ctx.sql, before, last, BATCH)
    for (const upload of batch) await letGo(ctx, upload).catch((error) => failures.push(error))
    last = batch.length === BATCH ? batch.at(-1)! : null
  } while (last)
  // One that cannot be removed does not keep the others; the job is tried again for it.
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} uploads could not be let go`)
}

async function letGo(ctx: JobContext, upload: Unfinished): Promise<void> {
  if (upload.fileId !== null) {
    await settleArrived(ctx, upload)
    await deletePending(ctx.sql, upload)
  }
  await discardObject(ctx, upload.orgId, upload.key)
}

async function settleArrived(ctx: JobContext, upload: Unfinished): Promise<void> {
  const row = await findPending(ctx.sql, upload)
  if (!row) return
  try {
    await settle(ctx, row)
  } catch (error) {
    // What came is not what was announced: it goes with its record.
    if (!(error instanceof ApiError)) throw error
  }
}
