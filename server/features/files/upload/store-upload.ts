import type { ReceivedFile } from '../../../../contract/endpoint.ts'
import { FileName } from '../../../../contract/files/files.ts'
import type { Context, PublicContext } from '../../../context.ts'
import { badField } from '../../../errors.ts'
import { randomHex } from '../../../security/random.ts'
import { declaredType } from './file-types.ts'
import { type Arrival, inspect } from './inspect.ts'
import { deleteObject, insertObject, lockUnowned } from './object-queries.ts'

const FIELD = 'body.file'

/** Checks and stores the file of a form as it arrives; its object belongs to no record yet. */
export async function takeUpload(
  ctx: Context,
  file: { name: string; mimeType: string; content: AsyncIterable<Uint8Array> },
): Promise<ReceivedFile> {
  const name = FileName.safeParse(file.name)
  if (!name.success) throw badField(FIELD, `has a name that ${name.error.issues[0]!.message}`)
  const declared = declaredType(file.mimeType, file.name, FIELD)
  const arrival = await inspect(file.content, { name: file.name, declared, field: FIELD, size: null })
  const stored = await storeArrival(ctx, ctx.caller.orgId, arrival)
  return { name: file.name, mimeType: arrival.mimeType, ...stored }
}

/** Removes what was taken, unless a record owns it by now. */
export const discardUpload = (ctx: Context, { key }: ReceivedFile): Promise<void> =>
  discardObject(ctx, ctx.caller.orgId, key)

/** Writes what arrives to an object of its own; if that fails, nothing is left of it. */
export async function storeArrival(ctx: PublicContext, orgId: string, arrival: Arrival) {
  const key = newObjectKey(orgId)
  await insertObject(ctx.sql, orgId, key, ctx.now())
  try {
    await ctx.objects.put(key, arrival.bytes)
  } catch (error) {
    await discardObject(ctx, orgId, key)
    throw error
  }
  return { key, ...arrival.outcome() }
}

/** First the bytes, then the row that tells of them. */
export async function discardObject(ctx: PublicContext, orgId: string, key: string): Promise<void> {
  await ctx.transaction(async ({ sql }) => {
    if (!(await lockUnowned(sql, orgId, key))) return
    await ctx.objects.remove(key)
    await deleteObject(sql, orgId, key)
  })
}

export const newObjectKey = (orgId: string): string => `${orgId}/${randomHex(16)}`
