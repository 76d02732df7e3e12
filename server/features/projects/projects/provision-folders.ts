import type { Context } from '../../../context.ts'
import { provisionProjectFolder } from '../../files/files/files.ts'
import { lockWithFolders } from './queries.ts'
import type { ProjectRow } from './records.ts'

/** The project with its folder, which is created if it is missing, as for projects created before folders existed. */
export async function ensureFolder(ctx: Context, row: ProjectRow): Promise<ProjectRow> {
  if (row.folderId !== null) return row
  const folders = await createFolders(ctx, [row])
  return { ...row, folderId: folders.get(row.id) ?? null }
}

/** Creates the folders of projects that have none. Returns the folder ids by project id. */
export const createFolders = (ctx: Context, projects: { id: string }[]): Promise<Map<string, string>> =>
  ctx.transaction(async (inside) => {
    const ids = projects.map(({ id }) => id)
    const folders = new Map<string, string>()
    for (const { id, name, folderId } of await lockWithFolders(inside.sql, ctx.caller.orgId, ids)) {
      folders.set(id, folderId ?? (await provisionProjectFolder(inside, id, name)))
    }
    return folders
  })
