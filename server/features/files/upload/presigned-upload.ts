import type { PublicContext } from '../../../context.ts'
import { ApiError, conflict, notFound, raise } from '../../../errors.ts'
import { publishFileEvent } from '../events.ts'
import { findUpload } from '../queries.ts'
import type { FileRow } from '../records.ts'
import { declaredType } from './file-types.ts'
import { inspect } from './inspect.ts'
import { deleteObject, insertObject, updateStored } from './object-queries.ts'
import { updateFinalized } from './presigned-upload-queries.ts'
import { discardObject, newObjectKey, storeObject } from './store-upload.ts'

/** For how long the address of an announced upload takes bytes. */
export const UPLOAD_MINUTES = 15

/**
 * Announced bytes are never kept under the key that was handed out, which could be written again: it only leads to
 * their record. What has been checked is under a key of its own.
 */
export const stagingKeyOf = (orgId: string, id: string): string => `${orgId}/${id.replaceAll('-', '')}`

/** The id in such a key. */
export const fileIdOf = (stagingKey: string): string =>
  stagingKey.slice(-32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** Checks and stores the bytes of an announced upload as they arrive. Of two that come at once, one is the file. */
export async function storePresigned(
  ctx: PublicContext,
  row: FileRow,
  content: AsyncIterable<Uint8Array>,
): Promise<FileRow> {
  const arrival = await inspect(content, expectedOf(row))
  const stored = await storeObject(ctx, row.orgId, arrival)
  const arrived = await attachObject(ctx, row, stored)
  if (arrived) return arrived
  throw alreadyUploaded()
}

/**
 * Where bytes go straight to the store, nobody tells us when they have come: whoever asks first has them checked. The
 * checked copy is the file, so that the address they were sent to can change nothing any more.
 */
export async function finalize(ctx: PublicContext, row: FileRow): Promise<FileRow> {
  const { objects } = ctx
  if (row.status !== 'pending' || row.objectKey === null || objects.passesThrough) return row
  if ((await objects.size(row.objectKey)) === null) return row
  const stored = await copyInspected(ctx, row, row.objectKey)
  return (await attachObject(ctx, row, stored)) ?? (await findUpload(ctx.sql, row.orgId, row.id)) ?? row
}

interface Stored {
  key: string
  sha256: string
}

async function copyInspected(ctx: PublicContext, row: FileRow, staged: string): Promise<Stored> {
  const key = newObjectKey(row.orgId)
  await insertObject(ctx.sql, row.orgId, key, ctx.now())
  try {
    await ctx.objects.copy(staged, key)
    return { key, sha256: await hashInspected(ctx, row, key) }
  } catch (error) {
    await discardObject(ctx, row.orgId, key)
    // Refused for what it is: it makes room for another try, and is not looked at again with every read.
    if (error instanceof ApiError) await ctx.objects.remove(staged)
    throw error
  }
}

async function hashInspected(ctx: PublicContext, row: FileRow, key: string): Promise<string> {
  const content = (await ctx.objects.get(key)) ?? raise(notFound('The bytes of this file'))
  const arrival = await inspect(content, expectedOf(row))
  for await (const _ of arrival.bytes);
  return arrival.outcome().sha256
}

/** Makes an object the file that was announced; null, and the object is let go, if there is one already. */
async function attachObject(
  ctx: PublicContext,
  row: FileRow,
  { key, sha256 }: Stored,
): Promise<FileRow | null> {
  const { orgId, id } = row
  const stagingKey = stagingKeyOf(orgId, id)
  const arrived = await ctx
    .transaction(async (inside) => {
      const { sql } = inside
      if (!(await updateStored(sql, orgId, key, ctx.now()))) return null
      const file = await updateFinalized(sql, orgId, { id, stagingKey, key, sha256, now: ctx.now() })
      if (!file) throw alreadyUploaded()
      // Straight in the store something may still be written there, which the sweep then finds by this row.
      if (ctx.objects.passesThrough) await deleteObject(sql, orgId, stagingKey)
      await publishFileEvent(inside, 'file.created', file)
      return file
    })
    .catch((error) => (error instanceof ApiError ? null : raise(error)))
  if (!arrived) await discardObject(ctx, orgId, key)
  return arrived
}

const expectedOf = ({ name, mimeType, size }: FileRow) => ({
  name,
  declared: declaredType(mimeType, name, 'body'),
  field: 'body',
  size,
})

const alreadyUploaded = () => conflict('The bytes of this file have been sent already')
