import type { ByteRequest } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { badRequest, notFound } from '../../../errors.ts'
import type { FileRow } from '../records.ts'
import { dispositionOf } from './disposition.ts'
import { contentTypeOf, respondWithObject } from './file-response.ts'

/** For how long the address that a download leads to holds. */
const READ_SECONDS = 300

interface How {
  inline: boolean
  byteRequest: ByteRequest
}

/** The bytes of a file or of what a link leads to: at an address of their own for a while, or right here. */
export async function download(ctx: Context, row: FileRow, { inline, byteRequest }: How) {
  if (row.source === 'folder') throw badRequest('A folder is downloaded as an archive')
  const { objectKey: key, mimeType } = row
  if (key === null || row.status === 'pending') throw notFound('The bytes of this file')
  const contentType = await contentTypeOf(ctx.objects, key, mimeType)
  const disposition = dispositionOf(row.name, mimeType, inline ? 'inline' : 'attachment')
  if (inline)
    return respondWithObject(
      ctx.objects,
      { key, contentType, disposition, tag: row.sha256 ?? key },
      byteRequest,
    )
  const redirect = await ctx.objects.readUrl(key, {
    expiresAt: new Date(ctx.now().getTime() + READ_SECONDS * 1000),
    mimeType: contentType,
    disposition,
    baseUrl: ctx.origin.baseUrl,
  })
  return reply(null as never, { redirect })
}
