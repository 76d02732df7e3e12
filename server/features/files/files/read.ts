import type { ByteRequest, InputOf } from '../../../../contract/endpoint.ts'
import type { files } from '../../../../contract/files/files.ts'
import type { Context, PublicContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { reply } from '../../../endpoint/route.ts'
import { notFound, raise } from '../../../errors.ts'
import { fileKnowledge } from '../../knowledge/passages/passages.ts'
import type { Viewer } from '../../projects/access/access.ts'
import { buildArchiveResponse } from './download/archive.ts'
import { contentDisposition, detectContentType, download, respondWithObject } from './download/download.ts'
import { cursorPosition, listFolder } from './listing/list-queries.ts'
import { findFile, findFileWithAncestors, isInFolder } from './queries.ts'
import { type FileRow, present } from './records.ts'
import { finalize } from './upload/presigned-upload.ts'

export async function get(ctx: Context<'objects' | 'suspensions'>, input: InputOf<typeof files.get>) {
  const found = (await findFileWithAncestors(ctx.sql, ctx.caller, input.id)) ?? raise(notFound('File'))
  const row = await finalize(ctx, found)
  if (input.download) return download(ctx, row, input)
  const { ancestors } = found
  const knowledge = await fileKnowledge(ctx.sql, ctx.caller.orgId, row.id)
  return reply({ ...present(row), ancestors, knowledge }, { version: row.version })
}

export async function serveInline(
  ctx: Context<'objects' | 'suspensions'>,
  orgId: string,
  fileId: string,
  byteRequest: ByteRequest,
) {
  const viewer = { ...ctx.caller, orgId }
  const found = (await findFile(ctx.sql, viewer, fileId)) ?? raise(notFound('File'))
  return download(ctx, await finalize(ctx, found), { inline: true, byteRequest })
}

export type ServedFile = FileRow

/** For callers without access, on a member's behalf. Never links, as they could lead to other folders. */
export const isServed = ({ source, status, objectKey }: ServedFile): boolean =>
  source === 'folder' || (source === 'upload' && status === 'ready' && objectKey !== null)

/** Null unless below the folder and served, even if the viewer can see it. */
export async function findServed(sql: Sql, viewer: Viewer, folder: ServedFile, id: string) {
  const isBelow = folder.source === 'folder' && (await isInFolder(sql, viewer.orgId, id, folder.id))
  const found = isBelow ? await findFile(sql, viewer, id) : null
  return found && isServed(found) ? found : null
}

/** Inline only if no script can run. */
export async function serveContent(
  { objects }: Pick<PublicContext<'objects'>, 'objects'>,
  row: ServedFile,
  { inline, byteRequest }: { inline: boolean; byteRequest: ByteRequest },
) {
  const { objectKey: key, mimeType, size } = row
  if (row.source !== 'upload' || !isServed(row) || key === null) throw notFound('File')
  const contentType = await detectContentType(objects, { key, mimeType, size })
  const disposition = contentDisposition(row.name, mimeType, inline ? 'inline' : 'attachment')
  return respondWithObject(
    objects,
    { key, contentType, disposition, tag: row.sha256 ?? key, headers: { 'x-robots-tag': 'noindex' } },
    byteRequest,
  )
}

export async function listServed(
  { sql }: Pick<PublicContext, 'sql'>,
  viewer: Viewer,
  folderId: string,
  { after, limit }: { after: (string | number)[] | null; limit: number },
) {
  const list = { folderId, source: undefined, order: 'name' } as const
  const rows = await listFolder(sql, viewer, list, { after, offset: 0, limit: limit + 1 })
  const page = rows.slice(0, limit)
  return {
    rows: page.filter(isServed),
    next: rows.length > limit ? cursorPosition(page.at(-1)!, 'name') : null,
  }
}

export const serveArchive = (
  { sql, objects }: Pick<PublicContext<'objects'>, 'sql' | 'objects'>,
  viewer: Viewer,
  folder: ServedFile,
  byteRequest: ByteRequest,
) => buildArchiveResponse({ sql, objects, viewer, isIncluded: isServed }, folder, byteRequest)
