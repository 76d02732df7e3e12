import type { Context, JobContext } from '../../../../context.ts'
import { badField } from '../../../../errors.ts'
import { findFile } from '../../../files/files/files.ts'
import { findRole } from '../../../organizations/membership/membership.ts'
import type { Viewer } from '../../../projects/access/access.ts'

/** Carriers' limits per message. */
const MEDIA_BYTES_MAX = 5_000_000
const MEDIA_TYPES = /^(image|audio|video)\/|^(application\/pdf|text\/(vcard|calendar|plain|csv))$/
/** The carrier reads the files when it sends, which may be minutes later. */
const URL_MINUTES = 60

/** Rejects files that the caller can't read or a message can't contain. */
export async function requireMedia(ctx: Context, fileIds: readonly string[]): Promise<void> {
  let bytes = 0
  for (const [index, id] of fileIds.entries()) {
    const field = `body.mediaFileIds.${index}`
    const file = await findFile(ctx.sql, ctx.caller, id)
    if (!file || file.source === 'folder' || file.status === 'pending' || file.objectKey === null)
      throw badField(field, 'is not a file that you can read')
    if (!MEDIA_TYPES.test(file.mimeType))
      throw badField(field, `cannot be sent: its type is ${file.mimeType}`)
    bytes += file.size
    if (bytes > MEDIA_BYTES_MAX)
      throw badField('body.mediaFileIds', `must be at most ${MEDIA_BYTES_MAX} bytes in total`)
  }
}

/** For the carrier. Returns null if the sender can no longer read a file. */
export async function mediaUrls(
  ctx: JobContext<'objects'>,
  orgId: string,
  { fileIds, userId }: { fileIds: readonly string[]; userId: string | null },
  baseUrl: string,
): Promise<string[] | null> {
  if (fileIds.length === 0) return []
  const role = userId === null ? null : await findRole(ctx.sql, orgId, userId)
  if (!role) return null
  const viewer: Viewer = { orgId, userId: userId!, role }
  const urls: string[] = []
  for (const id of fileIds) {
    const file = await findFile(ctx.sql, viewer, id)
    if (!file || file.objectKey === null || file.status === 'pending') return null
    urls.push(
      await ctx.objects.readUrl(file.objectKey, {
        expiresAt: new Date(ctx.now().getTime() + URL_MINUTES * 60_000),
        mimeType: file.mimeType,
        disposition: 'attachment',
        baseUrl,
      }),
    )
  }
  return urls
}
