import type { FormFile } from '../../../../../contract/endpoint.ts'
import { FileName } from '../../../../../contract/files/files.ts'
import type { Context, PublicContext } from '../../../../context.ts'
import { badField, conflict } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import { declaredType } from '../content/file-types.ts'
import { type ExpectedContent, inspect } from '../content/inspect.ts'
import { publishFileEvent } from '../events.ts'
import { updateStored } from '../object-queries.ts'
import { storeContent } from '../objects.ts'
import { insertFile } from '../queries.ts'
import { recordChange } from '../record-change.ts'
import type { FileRow } from '../records.ts'
import { type DestinationInput, resolveDestination } from '../tree/destination.ts'

const FIELD = 'body.file'

/** No record owns the object yet. */
export interface StoredUpload {
  name: string
  mimeType: string
  size: number
  sha256: string
  key: string
}

export async function storeUpload(ctx: Context<'objects'>, file: FormFile): Promise<StoredUpload> {
  const name = FileName.safeParse(file.name)
  if (!name.success) throw badField(FIELD, `has an invalid name: it ${name.error.issues[0]!.message}`)
  const declared = declaredType(file.mimeType, file.name, FIELD)
  const expected = { name: file.name, declared, field: FIELD, size: null }
  return { name: file.name, ...(await storeInspected(ctx, ctx.caller.orgId, file.content, expected)) }
}

export async function storeInspected(
  ctx: PublicContext<'objects'>,
  orgId: string,
  content: AsyncIterable<Uint8Array>,
  expected: ExpectedContent,
): Promise<Omit<StoredUpload, 'name'>> {
  const stream = await inspect(content, expected)
  const key = await storeContent(ctx, orgId, stream.bytes)
  return { mimeType: stream.mimeType, key, ...stream.outcome() }
}

interface NewUpload extends DestinationInput {
  tags?: string[] | undefined
  runId?: string | undefined
}

export async function insertUpload(
  ctx: Context<'quotas'>,
  upload: StoredUpload,
  { tags, runId, ...destination }: NewUpload,
): Promise<FileRow> {
  const { orgId, userId } = ctx.caller
  return ctx.transaction(async (inside) => {
    const parent = await resolveDestination(inside, destination)
    await ctx.quotas.reserve(inside.sql, orgId, { files: 1, storage: upload.size })
    if (!(await updateStored(inside.sql, orgId, upload.key, ctx.now())))
      throw conflict('The upload took too long: send it again')
    const file = await insertFile(inside.sql, orgId, {
      id: newId(),
      parentId: parent.id,
      source: 'upload',
      name: upload.name,
      mimeType: upload.mimeType,
      size: upload.size,
      sha256: upload.sha256,
      objectKey: upload.key,
      tags,
      runId,
      createdBy: userId,
      now: ctx.now(),
    })
    await recordChange(inside, { id: file.id, before: null })
    await publishFileEvent(inside, 'file.created', file)
    return file
  })
}
