import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { listModelImageSizes, prepareModelImages } from '../../../files/files/files.ts'
import { listFileParts, type MessageRow } from '../../conversations/conversations.ts'
import { type ImagePart, imageKey, isImagePart } from '../state/image-parts.ts'
import type { ImageSizes, ReadMessages } from '../state/prompt.ts'
import type { EngineRun } from '../state/run-row.ts'

/**
 * Before the prompt, because scaling an image takes longer than a transaction may. The prompt's tokens then count each
 * image by the size that is sent.
 */
export async function measureImages(
  ctx: JobContext<'objects'>,
  { orgId, sessionId }: EngineRun,
  { read, hasQueued }: { read: ReadMessages | null; hasQueued: boolean },
): Promise<void> {
  if (read && read.messages.length > 0 && !hasQueued) return
  await prepareModelImages(ctx, orgId, await listFileParts(ctx.sql, orgId, sessionId, 'image'))
}

/** Adds those of the messages' images. Results carry their sizes themselves. */
export async function loadImageSizes(
  sql: Sql,
  orgId: string,
  messages: readonly MessageRow[],
  sizes: ImageSizes,
): Promise<void> {
  const refs = messages.flatMap(({ role, content }) => (role === 'user' ? content.filter(isImagePart) : []))
  const unknown = refs.filter((ref) => ref.width === undefined && !sizes.has(imageKey(ref)))
  if (unknown.length === 0) return
  for (const { width, height, ...ref } of await listModelImageSizes(sql, orgId, unknown))
    sizes.set(imageKey(ref), { width, height })
}

/** Undefined if the image isn't scaled yet. */
export const sizeOfImage = (image: ImagePart, sizes: ImageSizes) =>
  image.width === undefined ? (sizes.get(imageKey(image)) ?? {}) : image
