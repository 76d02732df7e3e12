import type { Context } from '../../context.ts'
import { provisionProjectFolder } from '../files/files.ts'
import { lockWithFolders } from './queries.ts'
import type { ProjectRow } from './records.ts'

/** Creates the missing folders of projects, such as those created before folders existed. */
export async function ensureFolders(ctx: Context, rows: ProjectRow[]): Promise<ProjectRow[]> {
  const without = rows.filter(({ folderId }) => folderId === null).map(({ id }) => id)
  if (without.length === 0) return rows
  const made = await ctx.transaction(async (inside) => {
    const folders = new Map<string, string>()
    for (const { id, name, folderId } of await lockWithFolders(inside.sql, ctx.caller.orgId, without)) {
      folders.set(id, folderId ?? (await provisionProjectFolder(inside, id, name)))
    }
    return folders
  })
  return rows.map((row) => ({ ...row, folderId: row.folderId ?? made.get(row.id) ?? null }))
}
