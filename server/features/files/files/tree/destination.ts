import { FOLDER_DEPTH_MAX } from '../../../../../contract/files/files.ts'
import type { Caller, Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { badField, notFound, raise } from '../../../../errors.ts'
import { requireEdit } from '../access.ts'
import {
  type FolderRow,
  findFolder,
  findProjectFolder,
  findVisibleProjectFolder,
  lockDestination,
} from './folder-queries.ts'

export interface DestinationInput {
  /** Null or absent means the organization's root. */
  parentId?: string | null | undefined
  projectId?: string | undefined
}

export async function resolveDestination(
  ctx: Pick<Context, 'sql' | 'caller'>,
  where: DestinationInput,
): Promise<FolderRow> {
  const { orgId } = ctx.caller
  const project = where.projectId === undefined ? null : await requireProjectFolder(ctx, where.projectId)
  const id = where.parentId ?? project?.id ?? orgId
  // The API has no id for the root, which is null there.
  const folder = where.parentId === orgId ? null : await lockDestination(ctx.sql, ctx.caller, id)
  if (!folder?.access && project && id === project.id) throw notFound('Project')
  if (!folder?.access) throw badField('body.parentId', 'is not a folder here')
  if (project && !folder.path.includes(project.id)) {
    throw badField('body.parentId', 'is not a folder in this project')
  }
  requireEdit(folder)
  return folder
}

export const requireProjectFolder = async (ctx: Pick<Context, 'sql' | 'caller'>, projectId: string) =>
  (await findVisibleProjectFolder(ctx.sql, ctx.caller, projectId)) ?? raise(notFound('Project'))

export async function findRootFolder(
  { sql, caller: { orgId } }: { sql: Sql; caller: Pick<Caller, 'orgId'> },
  projectId: string | null,
) {
  const top = projectId ? findProjectFolder(sql, orgId, projectId) : findFolder(sql, orgId, orgId)
  return (await top) ?? raise(notFound('File'))
}

/** The root doesn't count. */
export function checkDepth(parent: Pick<FolderRow, 'path'>, levels: number): void {
  if (parent.path.length - 1 + levels <= FOLDER_DEPTH_MAX) return
  throw badField('body.parentId', `is too deep: folders can be nested ${FOLDER_DEPTH_MAX} levels deep`)
}
