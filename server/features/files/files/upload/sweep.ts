import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { ApiError } from '../../../../errors.ts'
import { discardObject } from '../objects.ts'
import { type FileRow, selectFile } from '../records.ts'
import { finalize } from './presigned-upload.ts'

const ABANDONED_AFTER_MS = 24 * 3_600_000
const BATCH = 200

/** Finalizes a presigned upload that was sent but never read. */
export async function sweepUploads(ctx: JobContext<'objects' | 'suspensions'>): Promise<void> {
  const before = new Date(ctx.now().getTime() - ABANDONED_AFTER_MS)
  const failures: unknown[] = []
  let last: UnownedObject | null = null
  do {
    const batch: UnownedObject[] = await listUnowned(ctx.sql, before, last, BATCH)
    for (const upload of batch) await discardUpload(ctx, upload).catch((error) => failures.push(error))
    last = batch.length === BATCH ? batch.at(-1)! : null
  } while (last)
  // One failure doesn't stop the others. The job is retried for it.
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} abandoned uploads could not be removed`)
}

async function discardUpload(
  ctx: JobContext<'objects' | 'suspensions'>,
  upload: UnownedObject,
): Promise<void> {
  if (upload.fileId !== null) {
    await finalizeIfStored(ctx, upload)
    await deletePending(ctx.sql, upload)
  }
  await discardObject(ctx, upload.orgId, upload.key)
}

async function finalizeIfStored(
  ctx: JobContext<'objects' | 'suspensions'>,
  upload: UnownedObject,
): Promise<void> {
  const row = await findPending(ctx.sql, upload)
  if (!row) return
  try {
    await finalize(ctx, row)
  } catch (error) {
    // The content contradicts the declaration, so it's removed with its record.
    if (!(error instanceof ApiError)) throw error
  }
}

interface UnownedObject {
  orgId: string
  key: string
  createdAt: string
  fileId: string | null
}

async function listUnowned(sql: Sql, before: Date, after: UnownedObject | null, limit: number) {
  return sql<UnownedObject[]>`
    select o.org_id as "orgId", o.key, o.created_at as "createdAt", f.id as "fileId"
    from objects o left join files f on f.org_id = o.org_id and f.object_key = o.key
    where o.stored_at is null and o.created_at < ${before}
      ${after ? sql`and (o.created_at, o.key) > (${after.createdAt}::timestamptz, ${after.key})` : sql``}
    order by o.created_at, o.key limit ${limit}`
}

async function findPending(sql: Sql, { orgId, fileId }: UnownedObject) {
  const [row] = await sql<FileRow[]>`
    ${selectFile(sql, null)} where f.org_id = ${orgId} and f.id = ${fileId} and f.status = 'pending'`
  return row ?? null
}

async function deletePending(sql: Sql, { orgId, fileId, key }: UnownedObject): Promise<void> {
  await sql`
    delete from files
    where org_id = ${orgId} and id = ${fileId} and status = 'pending' and object_key = ${key}`
}
