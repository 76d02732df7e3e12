import type { Context } from '../../../../context.ts'
import { newId } from '../../../../security/ids.ts'
import { publishFileEvent } from '../events.ts'
import { findFile, insertFile } from '../queries.ts'
import { recordChange } from '../record-change.ts'
import { type FileRow, FOLDER_TYPE } from '../records.ts'
import { checkDepth, type DestinationInput, requireProjectFolder, resolveDestination } from './destination.ts'
import { findFolderNamed, insertFolder, lockName, lockTree } from './folder-queries.ts'

export interface NewFolder extends DestinationInput {
  name: string
  tags?: string[] | undefined
  /** Returns the folder with this name, if there is one. */
  reuse?: boolean | undefined
}

export async function createFolder(
  ctx: Context<'quotas'>,
  { name, tags, reuse = false, ...where }: NewFolder,
): Promise<FileRow> {
  const { orgId, userId } = ctx.caller
  return ctx.transaction(async (inside) => {
    if (reuse) await lockNameIn(inside, where, name)
    await lockTree(inside.sql, orgId, 'add')
    const parent = await resolveDestination(inside, where)
    const existing = reuse ? await findFolderNamed(inside.sql, orgId, parent.id, name) : null
    if (existing) return (await findFile(inside.sql, inside.caller, existing.id))!
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

/** Before the tree's lock, as other writers that look for a name. */
async function lockNameIn(
  inside: Pick<Context, 'sql' | 'caller'>,
  { parentId, projectId }: DestinationInput,
  name: string,
): Promise<void> {
  const { orgId } = inside.caller
  const project = projectId === undefined ? null : await requireProjectFolder(inside, projectId)
  await lockName(inside.sql, orgId, parentId ?? project?.id ?? orgId, name)
}
