import type { ByteRequest } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { reply } from '../../../../endpoint/route.ts'
import { badRequest, notFound } from '../../../../errors.ts'
import type { FileRow } from '../records.ts'
import { dispositionOf } from './disposition.ts'
import { contentTypeOf, respondWithObject } from './file-response.ts'

/** Lifetime of the signed download URL. */
const DOWNLOAD_URL_SECONDS = 300

interface DownloadOptions {
  inline: boolean
  byteRequest: ByteRequest
}

/** The content of a file, or of a link's target: a redirect to a signed URL, or streamed inline. */
export async function download(ctx: Context, row: FileRow, { inline, byteRequest }: DownloadOptions) {
  if (row.source === 'folder') throw badRequest('Download a folder as an archive')
  const { objectKey: key, mimeType, size } = row
  if (key === null || row.status === 'pending') throw notFound('File content')
  const contentType = await contentTypeOf(ctx.objects, { key, mimeType, size })
  const disposition = dispositionOf(row.name, mimeType, inline ? 'inline' : 'attachment')
  if (inline)
    return respondWithObject(
      ctx.objects,
      { key, contentType, disposition, tag: row.sha256 ?? key },
      byteRequest,
    )
  const redirect = await ctx.objects.readUrl(key, {
    expiresAt: new Date(ctx.now().getTime() + DOWNLOAD_URL_SECONDS * 1000),
    mimeType: contentType,
    disposition,
    baseUrl: ctx.origin.baseUrl,
  })
  return reply(null as never, { redirect })
}
