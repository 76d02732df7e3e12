import type { ByteRequest, InputOf } from '../../../../contract/endpoint.ts'
import type { files } from '../../../../contract/files/files.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { notFound, raise } from '../../../errors.ts'
import { download } from './download/download.ts'
import { findFile, findFileWithAncestors } from './queries.ts'
import { present } from './records.ts'
import { finalize } from './upload/presigned-upload.ts'

export async function get(ctx: Context, input: InputOf<typeof files.get>) {
  const found = (await findFileWithAncestors(ctx.sql, ctx.caller, input.id)) ?? raise(notFound('File'))
  const row = await finalize(ctx, found)
  if (input.download) return download(ctx, row, input)
  const { ancestors } = found
  return reply({ ...present(row), ancestors }, { version: row.version })
}

/** Streams a file that the caller sees. Safe types display inline, others download. */
export async function serveInline(ctx: Context, orgId: string, fileId: string, byteRequest: ByteRequest) {
  const viewer = { ...ctx.caller, orgId }
  const found = (await findFile(ctx.sql, viewer, fileId)) ?? raise(notFound('File'))
  return download(ctx, await finalize(ctx, found), { inline: true, byteRequest })
}
