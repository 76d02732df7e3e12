import type { Context } from '../../../../context.ts'
import { newId } from '../../../../security/ids.ts'
import { publishFileEvent } from '../events.ts'
import { insertFile } from '../queries.ts'
import { recordChange } from '../record-change.ts'
import { type FileRow, FOLDER_TYPE } from '../records.ts'
import { checkDepth, type DestinationInput, resolveDestination } from './destination.ts'
import { insertFolder, lockTree } from './folder-queries.ts'

export interface NewFolder extends DestinationInput {
  name: string
  tags?: string[] | undefined
}

export async function createFolder(
  ctx: Context<'quotas'>,
  { name, tags, ...where }: NewFolder,
): Promise<FileRow> {
  const { orgId, userId } = ctx.caller
  return ctx.transaction(async (inside) => {
    await lockTree(inside.sql, orgId, 'add')
    const parent = await resolveDestination(inside, where)
    checkDepth(parent, 1)
    const { id } = await insertFolder(inside.sql, orgId, {
      id: newId(),
      parent,
      projectId: parent.projectId,
    })
    await ctx.quotas.reserve(inside.sql, orgId, { files: 1 })
    const folder = await insertFile(inside.sql, orgId, {
      id,
      parentId: parent.id,
      source: 'folder',
      name,
      mimeType: FOLDER_TYPE,
      tags,
      createdBy: userId,
      now: ctx.now(),
    })
    await recordChange(inside, { id, before: null })
    await publishFileEvent(inside, 'file.created', folder)
    return folder
  })
}
