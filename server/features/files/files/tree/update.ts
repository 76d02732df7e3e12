import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { files } from '../../../../../contract/files/files.ts'
import type { Context } from '../../../../context.ts'
import { reply } from '../../../../endpoint/route.ts'
import { badField, forbidden, notFound, raise, stale } from '../../../../errors.ts'
import { requireEdit } from '../access.ts'
import { publishFileEvent } from '../events.ts'
import { findFile, updateFile } from '../queries.ts'
import { recordChange, stateBefore } from '../record-change.ts'
import { type FileRow, present } from '../records.ts'
import { checkDepth, resolveDestination } from './destination.ts'
import { type FolderRow, findFolder, findHeight, lockTree, updateParent } from './folder-queries.ts'

export async function update(ctx: Context, input: InputOf<typeof files.update>) {
  const { id, name, parentId, tags, ifMatch } = input
  const change = { id, name, tags, version: ifMatch, now: ctx.now() }
  return ctx.transaction(async (inside) => {
    const move = parentId === undefined ? null : await moveTo(inside, id, parentId)
    const before = await stateBefore(inside, id)
    const updated = await updateFile(inside.sql, ctx.caller, { ...change, parentId: move?.to.id })
    const row = updated ?? (await explainRefusal(inside, input))
    const isMoved = move !== null && move.from !== row.parentId
    await recordChange(inside, { id, before })
    // A pending upload has published no file.created event yet.
    if (row.status === 'ready') await publishFileEvent(inside, isMoved ? 'file.moved' : 'file.updated', row)
    return reply(present(row), { version: row.version })
  })
}

async function moveTo(ctx: Context, id: string, parentId: string | null) {
  const { source, parentId: from } = await findMovable(ctx, id)
  return {
    from,
    to: await (source === 'folder' ? moveFolder(ctx, id, parentId) : resolveDestination(ctx, { parentId })),
  }
}

async function moveFolder(ctx: Context, id: string, parentId: string | null): Promise<FolderRow> {
  const { orgId } = ctx.caller
  await lockTree(ctx.sql, orgId, 'change')
  // Rechecks under the lock: the folder may have been moved or trashed.
  await findMovable(ctx, id)
  const parent = await resolveDestination(ctx, { parentId })
  if (parent.path.includes(id)) throw badField('body.parentId', 'is inside the folder to move')
  const folder = (await findFolder(ctx.sql, orgId, id)) ?? raise(notFound('File'))
  if (folder.parentId === parent.id) return parent
  checkDepth(parent, 1 + (await findHeight(ctx.sql, orgId, folder)))
  await updateParent(ctx.sql, orgId, folder, parent)
  return parent
}

async function explainRefusal(
  ctx: Context,
  { id, name, parentId }: InputOf<typeof files.update>,
): Promise<never> {
  await (name !== undefined || parentId !== undefined ? findMovable(ctx, id) : findEditable(ctx, id))
  throw stale()
}

export async function findMovable(ctx: Context, id: string): Promise<FileRow> {
  const row = await findEditable(ctx, id)
  if (row.protected) throw forbidden('This folder is protected: it cannot be renamed, moved or deleted')
  return row
}

async function findEditable(ctx: Context, id: string): Promise<FileRow> {
  const row = (await findFile(ctx.sql, ctx.caller, id)) ?? raise(notFound('File'))
  requireEdit(row)
  return row
}
