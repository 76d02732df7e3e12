import type { ByteRequest } from '../../../../contract/endpoint.ts'
import { stepOf } from '../../../../contract/projects/manifest-paths.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { notFound, raise } from '../../../errors.ts'
import { download } from '../download/download.ts'
import { findFile } from '../queries.ts'
import { finalize } from '../upload/presigned-upload.ts'
import * as queries from './project-file-queries.ts'

/** What a project asks of its files. Whether the caller may see the project is settled before. */

export interface ProjectFile {
  id: string
  /** Null in the folder of the project itself. */
  parentId: string | null
  /** From the folder of the project, with its name: `plans/draft.txt`. */
  path: string
  name: string
  mimeType: string
  size: number
  /** Of a link that of its target, unless that is in another project. */
  sha256: string | null
  source: 'upload' | 'folder' | 'link'
}

/** Everything that can be reached in the folder of a project, sorted by path. */
export async function listProjectFiles(sql: Sql, orgId: string, projectId: string): Promise<ProjectFile[]> {
  const rows = await queries.listProjectRows(sql, orgId, projectId)
  const folders = new Map(rows.filter(({ source }) => source === 'folder').map((row) => [row.id, row]))
  const paths = new Map<string, string>()
  const pathOf = ({ id, parentId, name }: queries.ProjectFileRow): string => {
    const above = parentId === null ? undefined : folders.get(parentId)
    const path = paths.get(id) ?? (above ? `${pathOf(above)}/${stepOf(name)}` : stepOf(name))
    paths.set(id, path)
    return path
  }
  return rows.map((row) => ({ ...row, path: pathOf(row) })).sort(byPath)
}

const byPath = (a: ProjectFile, b: ProjectFile) =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : a.id < b.id ? -1 : 1

/** Those of these ids that are files, not folders, which can be reached in the folder of the project. */
export const filterProjectFiles = queries.listProjectFileIds

/** The bytes of a file, for whoever may see it; shown rather than saved where the type is harmless. */
export async function serveInline(ctx: Context, orgId: string, fileId: string, byteRequest: ByteRequest) {
  const viewer = { ...ctx.caller, orgId }
  const found = (await findFile(ctx.sql, viewer, fileId)) ?? raise(notFound('File'))
  return download(ctx, await finalize(ctx, found), { inline: true, byteRequest })
}
