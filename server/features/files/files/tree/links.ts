import type { Context } from '../../../../context.ts'
import { badField, notFound, raise } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import { recordChange } from '../changes/record-change.ts'
import { publishFileEvent } from '../events.ts'
import { findFile, insertFile } from '../queries.ts'
import type { FileRow } from '../records.ts'
import { type DestinationInput, resolveDestination } from './destination.ts'

export interface NewLink extends DestinationInput {
  targetFileId: string
  /** Defaults to the name of the target. */
  name?: string | undefined
  tags?: string[] | undefined
}

/** A link to a link points to the target of the latter, so that links never form chains. */
export async function createLink(
  ctx: Context,
  { targetFileId, name, tags, ...where }: NewLink,
): Promise<FileRow> {
  const { orgId, userId } = ctx.caller
  return ctx.transaction(async (inside) => {
    const target = await findTarget(inside, targetFileId)
    const parent = await resolveDestination(inside, where)
    await ctx.quotas.reserve(inside.sql, orgId, { files: 1 })
    const link = await insertFile(inside.sql, orgId, {
      id: newId(),
      parentId: parent.id,
      source: 'link',
      name: name ?? target.name,
      mimeType: target.mimeType,
      size: target.size,
      targetId: target.targetId ?? target.id,
      tags,
      createdBy: userId,
      now: ctx.now(),
    })
    await recordChange(inside, { id: link.id, before: null })
    await publishFileEvent(inside, 'file.created', link)
    return link
  })
}

async function findTarget(ctx: Context, id: string): Promise<FileRow> {
  const target = (await findFile(ctx.sql, ctx.caller, id)) ?? raise(notFound('Target file'))
  if (target.source === 'folder') throw badField('body.targetFileId', 'is a folder, which cannot be linked')
  if (target.objectKey === null || target.status === 'pending') throw notFound('Target file')
  return target
}
