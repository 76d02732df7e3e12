import { createContext, type JobContext } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import { resolveActingMember } from '../../../agents/outside-messages/outside-messages.ts'
import { addProjectFile, extensionFor } from '../../../files/files/files.ts'
import { openCarrier } from '../../carrier/open-carrier.ts'
import type { TelephonyOptions } from '../../dependencies.ts'
import type { SendingNumber } from '../send/queries.ts'
import { type PendingSms, type RemoteMedium, updateMedia } from './queries.ts'

const FOLDER = 'Messages'
/** The carriers' maximum, with a margin. */
const MEDIUM_BYTES_MAX = 10_000_000
const TYPES = /^(image|audio|video)\/|^(application\/pdf|text\/(x-)?vcard|text\/(plain|calendar))$/

/**
 * Uses the number owner's permissions. The message names media that can't be stored. Throws if the carrier is
 * unreachable, so the message waits.
 */
export async function storeMedia(
  options: TelephonyOptions,
  ctx: JobContext<'objects' | 'outbound' | 'quotas' | 'vault'>,
  orgId: string,
  number: SendingNumber,
  message: PendingSms,
): Promise<PendingSms> {
  let current = message
  for (;;) {
    const next = current.remoteMedia.findIndex(({ error }) => error === undefined)
    if (next === -1) return current
    current = await storeNext(options, ctx, orgId, number, current, next)
  }
}

async function storeNext(
  options: TelephonyOptions,
  ctx: JobContext<'objects' | 'outbound' | 'quotas' | 'vault'>,
  orgId: string,
  number: SendingNumber,
  message: PendingSms,
  index: number,
): Promise<PendingSms> {
  const medium = message.remoteMedia[index]!
  const replaceMedium = (media: string[], replacement: RemoteMedium[]): PendingSms => ({
    ...message,
    media,
    remoteMedia: message.remoteMedia.toSpliced(index, 1, ...replacement),
  })
  try {
    const content = await download(options, ctx, orgId, number, medium)
    const { projectId } = number
    const rights = { userId: number.ownerId, projectId, credentialId: number.id }
    const { caller } = await resolveActingMember(ctx.sql, orgId, rights)
    if (!caller) throw new ApiError('FORBIDDEN', 'The number’s owner cannot edit its project')
    const file = {
      projectId,
      folder: FOLDER,
      name: nameOf(message, index, medium),
      mimeType: medium.contentType,
      content,
    }
    return await addProjectFile(createContext({ ...ctx, caller }), file, async ({ sql }, fileId) => {
      const stored = replaceMedium([...message.media, fileId], [])
      await updateMedia(sql, orgId, message.id, stored)
      return stored
    })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'PROVIDER_ERROR') throw error
    const refused = replaceMedium(message.media, [{ ...medium, error: error.message }])
    await updateMedia(ctx.sql, orgId, message.id, refused)
    return refused
  }
}

async function download(
  options: TelephonyOptions,
  ctx: JobContext<'outbound' | 'vault'>,
  orgId: string,
  number: SendingNumber,
  { url, contentType }: RemoteMedium,
): Promise<AsyncIterable<Uint8Array>> {
  if (!TYPES.test(contentType)) throw new ApiError('BAD_REQUEST', `The type ${contentType} is not accepted`)
  const carrier = await openCarrier(options, ctx, orgId, number.connectionId)
  const result = await carrier.download(url)
  if (result.ok) return limitSize(result.value.content)
  const { status, message } = result.failure
  const isTemporary = status === null || status === 429 || status >= 500
  throw new ApiError(isTemporary && !result.failure.isRefused ? 'PROVIDER_ERROR' : 'BAD_REQUEST', message)
}

async function* limitSize(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > MEDIUM_BYTES_MAX)
      throw new ApiError('BAD_REQUEST', `The file is larger than ${MEDIUM_BYTES_MAX} bytes`)
    yield chunk
  }
}

/** By time and sender, because media have no names. */
function nameOf({ createdAt, peer }: PendingSms, index: number, { contentType }: RemoteMedium): string {
  const time = createdAt.slice(0, 19).replace('T', ' ').replaceAll(':', '-')
  const sender = peer.replace(/[^\w+]/g, '_')
  return `${time} ${sender} ${index + 1}${extensionFor(contentType)}`
}
