import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { files } from '../../../../../contract/files/files.ts'
import type { Context } from '../../../../context.ts'
import { notFound } from '../../../../errors.ts'
import { recordChange, stateBefore } from '../changes/record-change.ts'
import { publishFileEvent } from '../events.ts'
import { lockTree, updateTrashed } from '../tree/folder-queries.ts'
import { findMovable } from '../tree/update.ts'
import { purge } from './purge.ts'
import { deletePending, updateDeleted } from './trash-queries.ts'

/** Moves a file or folder to the trash; with `permanent`, purges it from the trash. */
export async function remove(ctx: Context, { id, permanent }: InputOf<typeof files.remove>) {
  await (permanent ? purge(ctx, id) : trash(ctx, id))
  return { deleted: true as const, permanent }
}

async function trash(ctx: Context, id: string): Promise<void> {
  const { orgId } = ctx.caller
  const row = await findMovable(ctx, id)
  if (row.status === 'pending' && (await deletePending(ctx.sql, orgId, id))) return
  await ctx.transaction(async (inside) => {
    if (row.source === 'folder') await lockTree(inside.sql, orgId, 'change')
    const before = await stateBefore(inside, id)
    if (!(await updateDeleted(inside.sql, ctx.caller, id, ctx.now()))) throw notFound('File')
    if (row.source === 'folder') await updateTrashed(inside.sql, orgId, id)
    await recordChange(inside, { id, before })
    await publishFileEvent(inside, 'file.deleted', row)
  })
}
