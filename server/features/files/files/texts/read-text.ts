import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { fileTexts } from '../../../../../contract/files/file-texts.ts'
import type { Context } from '../../../../context.ts'
import { ApiError, badRequest, notFound, raise } from '../../../../errors.ts'
import { findFile } from '../queries.ts'
import { isTextType } from '../content/file-types.ts'
import { finalize } from '../upload/presigned-upload.ts'
import { decodePart, encodingOf, type TextEncoding } from '../content/text-encoding.ts'

export async function readText(ctx: Context, { id, offset, limit }: InputOf<typeof fileTexts.read>) {
  const found = (await findFile(ctx.sql, ctx.caller, id)) ?? raise(notFound('File'))
  const file = await finalize(ctx, found)
  const { name, mimeType, size, objectKey } = file
  if (file.source === 'folder') throw badRequest('A folder has no text')
  if (objectKey === null || file.status === 'pending') throw notFound('File content')
  if (!isTextType(mimeType)) throw notText(mimeType)
  const part = await readPart(ctx, { objectKey, size }, { offset, limit })
  return { id, name, mimeType, size, ...part }
}

/** The part of a stored text that starts at `offset`; it ends between two characters. */
export async function readPart(
  ctx: Context,
  { objectKey, size }: { objectKey: string; size: number },
  { offset, limit }: { offset: number; limit: number },
) {
  const bytes = await readBytes(ctx, objectKey, offset, limit)
  const encoding = offset === 0 ? encodingOf(bytes) : await findEncoding(ctx, objectKey)
  const end = Math.min(offset + bytes.length, size)
  const { text, used } = decodePart(bytes, { encoding, offset, isLast: end >= size })
  return { text, nextOffset: end >= size ? null : offset + used }
}

const findEncoding = async (ctx: Context, key: string): Promise<TextEncoding> =>
  encodingOf(await readBytes(ctx, key, 0, 2))

async function readBytes(ctx: Context, key: string, start: number, length: number): Promise<Buffer> {
  const stream =
    (await ctx.objects.get(key, { start, end: start + length - 1 })) ?? raise(notFound('File content'))
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

export const notText = (mimeType: string) =>
  new ApiError('BAD_REQUEST', `This file is not text (${mimeType}): use its preview`, {
    details: { reason: 'not_text' },
  })
