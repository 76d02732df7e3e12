import { FOLDER_DEPTH_MAX } from '../../../contract/files.ts'
import type { Context } from '../../context.ts'
import { badField, notFound, raise } from '../../errors.ts'
import { type FolderRow, findProjectFolder, lockFolder } from './folder-queries.ts'

export interface Place {
  /** A folder; the root of the organization if null or absent. */
  parentId?: string | null | undefined
  projectId?: string | undefined
}

/** The folder that something is put into, held open until the transaction that asks is over. */
export async function place(ctx: Pick<Context, 'sql' | 'caller'>, where: Place): Promise<FolderRow> {
  const { orgId } = ctx.caller
  const project = where.projectId === undefined ? null : await projectFolder(ctx, where.projectId)
  const id = where.parentId ?? project?.id ?? orgId
  // The root has no id as far as anybody outside knows.
  const folder = where.parentId === orgId ? null : await lockFolder(ctx.sql, orgId, id)
  if (!folder && project && id === project.id) throw notFound('Project')
  if (!folder) throw badField('body.parentId', 'is not a folder here')
  if (project && !folder.path.includes(project.id)) {
    throw badField('body.parentId', 'is not a folder of this project')
  }
  return folder
}

export const projectFolder = async (ctx: Pick<Context, 'sql' | 'caller'>, projectId: string) =>
  (await findProjectFolder(ctx.sql, ctx.caller.orgId, projectId)) ?? raise(notFound('Project'))

/** Refuses a place in which `levels` more levels of folders would be too deep. The root is none. */
export function checkDepth(parent: Pick<FolderRow, 'path'>, levels: number): void {
  if (parent.path.length - 1 + levels <= FOLDER_DEPTH_MAX) return
  throw badField('body.parentId', `is too deep: folders can be nested ${FOLDER_DEPTH_MAX} levels deep`)
}
