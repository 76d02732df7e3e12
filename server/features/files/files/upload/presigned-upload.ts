import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { files } from '../../../../../contract/files/files.ts'
import type { Context, PublicContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { ApiError, badField, conflict, notFound, raise, unauthorized } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import { findRole } from '../../../organizations/membership/membership.ts'
import { declaredType } from '../content/file-types.ts'
import { inspect } from '../content/inspect.ts'
import { publishFileEvent } from '../events.ts'
import { deleteObject, insertObject, updateStored } from '../object-queries.ts'
import { discardObject, newObjectKey } from '../objects.ts'
import { findUpload, insertFile } from '../queries.ts'
import { recordChange } from '../record-change.ts'
import { type FileRow, present, selectFile } from '../records.ts'
import { resolveDestination } from '../tree/destination.ts'
import { lockDestination } from '../tree/folder-queries.ts'
import { storeInspected } from './upload.ts'

export const UPLOAD_MINUTES = 15

/** The client could write to this key again, so inspected content is stored under another. */
export const toStagingKey = (orgId: string, id: string): string => `${orgId}/${id.replaceAll('-', '')}`

export const parseFileId = (stagingKey: string): string =>
  stagingKey.slice(-32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

export type JsonInput = Extract<InputOf<typeof files.create>, { form?: undefined }>

export const isPresigned = ({ source, targetFileId }: JsonInput) =>
  source === 'upload' && targetFileId === undefined

export type PresignedUpload = Awaited<ReturnType<typeof signUpload>>

export async function signUpload(ctx: Context<'objects'>, input: JsonInput) {
  const { orgId } = ctx.caller
  const name = requireField('name', input.name)
  const mimeType = requireField('mimeType', input.mimeType)
  const size = requireField('size', input.size)
  const type = declaredType(mimeType, name, 'body.mimeType')
  if (!type) throw badField('body.mimeType', 'must identify the file type')
  const now = ctx.now()
  const id = newId()
  const objectKey = toStagingKey(orgId, id)
  const expiresAt = new Date(now.getTime() + UPLOAD_MINUTES * 60_000)
  const { baseUrl } = ctx.origin
  const uploadUrl = await ctx.objects.writeUrl(objectKey, { expiresAt, size, baseUrl })
  return { id, objectKey, name, type, size, now, uploadUrl }
}

/** Lists omit the record until its bytes are uploaded. */
export async function createPresigned(
  ctx: Context<'quotas'>,
  input: JsonInput,
  { id, objectKey, name, type, size, now, uploadUrl }: PresignedUpload,
) {
  const { orgId, userId } = ctx.caller
  const row = await ctx.transaction(async (inside) => {
    const parent = await resolveDestination(inside, input)
    await ctx.quotas.reserve(inside.sql, orgId, { files: 1, storage: size })
    await insertObject(inside.sql, orgId, objectKey, now)
    const file = await insertFile(inside.sql, orgId, {
      id,
      parentId: parent.id,
      source: 'upload',
      name,
      mimeType: type.mimeType,
      size,
      objectKey,
      status: 'pending',
      tags: input.tags,
      createdBy: userId,
      now,
    })
    await recordChange(inside, { id, before: null })
    return file
  })
  return { file: present(row), uploadUrl }
}

export function requireField<T>(field: string, value: T | undefined): T {
  if (value === undefined) throw badField(`body.${field}`, 'is required')
  return value
}

/** If two uploads race, the first to finish succeeds. */
export async function storePresigned(
  ctx: PublicContext<'objects' | 'suspensions'>,
  row: FileRow,
  content: AsyncIterable<Uint8Array>,
): Promise<FileRow> {
  const stored = await storeInspected(ctx, row.orgId, content, expectedOf(row))
  // Rechecks: the creator may have lost access during a slow upload.
  const file = await attachObject(ctx, row, stored, (inside) => requireUploader(inside, row))
  if (file) return file
  throw alreadyUploaded()
}

/**
 * A signed URL is an upload's only credential. It dies when its creator can no longer add files to the folder, or the
 * organization is suspended.
 */
export async function requireUploader(
  { sql, suspensions }: Pick<PublicContext<'suspensions'>, 'sql' | 'suspensions'>,
  { orgId, createdBy, parentId }: FileRow,
): Promise<void> {
  suspensions.requireActive(orgId)
  const role = await findRole(sql, orgId, createdBy)
  const folder = role && (await lockDestination(sql, { orgId, userId: createdBy, role }, parentId))
  if (folder?.access === 'edit') return
  throw unauthorized('This upload URL’s creator no longer has access to the folder', {
    reason: 'access_lost',
  })
}

/**
 * Buckets send no notification, so the first read inspects and copies the content. Later writes to the presigned URL
 * don't change the file.
 */
export async function finalize(
  ctx: PublicContext<'objects' | 'suspensions'>,
  row: FileRow,
): Promise<FileRow> {
  const { objects } = ctx
  if (row.status !== 'pending' || row.objectKey === null || objects.uploadsPassThrough) return row
  if ((await objects.size(row.objectKey)) === null) return row
  const stored = await copyInspected(ctx, row, row.objectKey)
  return (await attachObject(ctx, row, stored)) ?? (await findUpload(ctx.sql, row.orgId, row.id)) ?? row
}

interface StoredObject {
  key: string
  sha256: string
}

async function copyInspected(
  ctx: PublicContext<'objects'>,
  row: FileRow,
  stagingKey: string,
): Promise<StoredObject> {
  const key = newObjectKey(row.orgId)
  await insertObject(ctx.sql, row.orgId, key, ctx.now())
  try {
    await ctx.objects.copy(stagingKey, key)
    return { key, sha256: await hashInspected(ctx, row, key) }
  } catch (error) {
    await discardObject(ctx, row.orgId, key)
    // Lets the client upload again, and reads don't inspect it again.
    if (error instanceof ApiError) await ctx.objects.remove(stagingKey)
    throw error
  }
}

async function hashInspected(ctx: PublicContext<'objects'>, row: FileRow, key: string): Promise<string> {
  const content = (await ctx.objects.get(key)) ?? raise(notFound('File content'))
  const stream = await inspect(content, expectedOf(row))
  for await (const _ of stream.bytes);
  return stream.outcome().sha256
}

/** Returns null and discards the object if the file already has one. */
async function attachObject(
  ctx: PublicContext<'objects' | 'suspensions'>,
  row: FileRow,
  { key, sha256 }: StoredObject,
  check?: (inside: PublicContext<'suspensions'>) => Promise<void>,
): Promise<FileRow | null> {
  const { orgId, id } = row
  const stagingKey = toStagingKey(orgId, id)
  const attached = await ctx
    .transaction(async (inside) => {
      const { sql } = inside
      await check?.(inside)
      if (!(await updateStored(sql, orgId, key, ctx.now()))) return null
      const file = await updateFinalized(sql, orgId, { id, stagingKey, key, sha256, now: ctx.now() })
      if (!file) throw alreadyUploaded()
      // With a bucket the row stays: the client may still write to the staging key, and the sweep finds it by this row.
      if (ctx.objects.uploadsPassThrough) await deleteObject(sql, orgId, stagingKey)
      await publishFileEvent(inside, 'file.created', file)
      return file
    })
    .catch(async (error: unknown) => {
      if (error instanceof ApiError && error.code === 'CONFLICT') return null
      await discardObject(ctx, orgId, key)
      throw error
    })
  if (!attached) await discardObject(ctx, orgId, key)
  return attached
}

interface FinalizedUpload {
  id: string
  stagingKey: string
  key: string
  sha256: string
  now: Date
}

/** Null if already ready, or deleted. */
async function updateFinalized(
  sql: Sql,
  orgId: string,
  { id, stagingKey, key, sha256, now }: FinalizedUpload,
): Promise<FileRow | null> {
  const [row] = await sql<FileRow[]>`
    with f as (
      update files set object_key = ${key}, sha256 = decode(${sha256}, 'hex'), status = 'ready',
        version = version + 1, updated_at = ${now}
      where org_id = ${orgId} and id = ${id} and status = 'pending' and object_key = ${stagingKey}
      returning *
    ) ${selectFile(sql, null, sql`f`)}`
  return row ?? null
}

const expectedOf = ({ name, mimeType, size }: FileRow) => ({
  name,
  declared: declaredType(mimeType, name, 'body'),
  field: 'body',
  size,
})

const alreadyUploaded = () => conflict('This file’s content was already uploaded')
