import type { FormFile } from '../../../../../contract/endpoint.ts'
import { FileName } from '../../../../../contract/files/files.ts'
import { unlessBackupRuns } from '../../../../backup/object-removal-lock.ts'
import type { Context, PublicContext } from '../../../../context.ts'
import { isInTransaction } from '../../../../database/transaction.ts'
import { badField } from '../../../../errors.ts'
import { randomHex } from '../../../../security/random.ts'
import { removeObjects } from '../objects.ts'
import { declaredType } from '../content/file-types.ts'
import { type InspectedStream, inspect } from '../content/inspect.ts'
import {
  deleteObject,
  hasObject,
  insertObject,
  lockUnowned,
  updateStored,
  updateUnowned,
} from '../object-queries.ts'

const FIELD = 'body.file'

/** The file of a form after it has been stored. No record owns its object yet. */
export interface StoredUpload {
  name: string
  mimeType: string
  size: number
  sha256: string
  /** The key of the object. */
  key: string
}

/** Checks and stores the file of a form while it streams. */
export async function storeUpload(ctx: Context, file: FormFile): Promise<StoredUpload> {
  const name = FileName.safeParse(file.name)
  if (!name.success) throw badField(FIELD, `has an invalid name: it ${name.error.issues[0]!.message}`)
  const declared = declaredType(file.mimeType, file.name, FIELD)
  const stream = await inspect(file.content, { name: file.name, declared, field: FIELD, size: null })
  const stored = await storeObject(ctx, ctx.caller.orgId, stream)
  return { name: file.name, mimeType: stream.mimeType, ...stored }
}

/** Writes the stream to a new object, and removes the object if that fails. */
export async function storeObject(ctx: PublicContext, orgId: string, stream: InspectedStream) {
  const key = newObjectKey(orgId)
  await insertObject(ctx.sql, orgId, key, ctx.now())
  try {
    await ctx.objects.put(key, stream.bytes)
  } catch (error) {
    await discardObject(ctx, orgId, key)
    throw error
  }
  return { key, ...stream.outcome() }
}

/** When a job removes the bytes that a crash or a failure of the bucket left behind. */
const REMOVED_AGAIN_AFTER_MS = 600_000

/**
 * Removes an object that no record owns. The row goes first, so that no record can claim the object while its bytes are
 * removed; a job removes them again later. If the sweep or an erasure deleted the row while the bytes were written,
 * nothing else finds them.
 */
export async function discardObject(ctx: PublicContext, orgId: string, key: string): Promise<void> {
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

export const newObjectKey = (orgId: string): string => `${orgId}/${randomHex(16)}`

/** Stores content that is not a file of the organization. No record owns it before `claimContent`. */
export async function storeContent(
  ctx: PublicContext,
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

/** Marks content as owned, in the transaction of the record that owns it; `removeContent` removes it. */
export async function claimContent(
  { sql, now }: Pick<PublicContext, 'sql' | 'now'>,
  orgId: string,
  key: string,
): Promise<void> {
  if (!(await updateStored(sql, orgId, key, now()))) throw new Error('The sweep removed the content')
}

/**
 * Removes content that a record owned; false while a backup runs, which may copy it. Until the bytes are removed, the
 * row stays for the sweep, as a row of an object that nothing owns: no later backup needs its bytes.
 */
export async function removeContent(ctx: PublicContext, orgId: string, key: string): Promise<boolean> {
  await updateUnowned(ctx.sql, orgId, [key])
  if (!(await unlessBackupRuns(ctx.sql, () => ctx.objects.remove(key)))) return false
  await deleteObject(ctx.sql, orgId, key)
  return true
}
