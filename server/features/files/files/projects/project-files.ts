import type { ByteRequest } from '../../../../../contract/endpoint.ts'
import { segmentOf } from '../../../../../contract/projects/manifest-paths.ts'
import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { notFound, raise } from '../../../../errors.ts'
import { download } from '../download/download.ts'
import { findFile } from '../queries.ts'
import { finalize } from '../upload/presigned-upload.ts'
import * as queries from './project-file-queries.ts'

/** Files as other features use them. The caller's access to the project is checked before. */

export interface ProjectFile {
  id: string
  /** Null in the folder of the project itself. */
  parentId: string | null
  /** Relative to the folder of the project, including the name: `plans/draft.txt`. */
  path: string
  name: string
  mimeType: string
  size: number
  /** A link has the hash of its target, unless the target is in another project. */
  sha256: string | null
  source: 'upload' | 'folder' | 'link'
}

/** The files and folders of a project that are not in the trash, sorted by path. */
export async function listProjectFiles(sql: Sql, orgId: string, projectId: string): Promise<ProjectFile[]> {
  const rows = await queries.listProjectRows(sql, orgId, projectId)
  const folders = new Map(rows.filter(({ source }) => source === 'folder').map((row) => [row.id, row]))
  const paths = new Map<string, string>()
  const pathOf = ({ id, parentId, name }: queries.ProjectFileRow): string => {
    const parent = parentId === null ? undefined : folders.get(parentId)
    const path = paths.get(id) ?? (parent ? `${pathOf(parent)}/${segmentOf(name)}` : segmentOf(name))
    paths.set(id, path)
    return path
  }
  return rows.map((row) => ({ ...row, path: pathOf(row) })).sort(byPath)
}

const byPath = (a: ProjectFile, b: ProjectFile) =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : a.id < b.id ? -1 : 1

/** The ids that belong to files of the project: not folders, and not in the trash. */
export const filterProjectFiles = queries.listProjectFileIds

/** Streams a file that the caller sees. Safe types display inline, others download. */
export async function serveInline(ctx: Context, orgId: string, fileId: string, byteRequest: ByteRequest) {
  const viewer = { ...ctx.caller, orgId }
  const found = (await findFile(ctx.sql, viewer, fileId)) ?? raise(notFound('File'))
  return download(ctx, await finalize(ctx, found), { inline: true, byteRequest })
}
