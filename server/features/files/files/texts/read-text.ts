import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { fileTexts } from '../../../../../contract/files/file-texts.ts'
import type { Context } from '../../../../context.ts'
import { ApiError, badRequest, notFound, raise } from '../../../../errors.ts'
import { isTextType } from '../content/file-types.ts'
import { detectEncoding, type TextEncoding } from '../content/text-encoding.ts'
import { findFile } from '../queries.ts'
import { finalize } from '../upload/presigned-upload.ts'

export async function readText(
  ctx: Context<'objects' | 'suspensions'>,
  { id, offset, limit }: InputOf<typeof fileTexts.read>,
) {
  const found = (await findFile(ctx.sql, ctx.caller, id)) ?? raise(notFound('File'))
  const file = await finalize(ctx, found)
  const { name, mimeType, size, objectKey } = file
  if (file.source === 'folder') throw badRequest('A folder has no text')
  if (objectKey === null || file.status === 'pending') throw notFound('File content')
  if (!isTextType(mimeType)) throw notText(mimeType)
  const part = await readPart(ctx, { objectKey, size }, { offset, limit })
  return { id, name, mimeType, size, ...part }
}

export async function readPart(
  ctx: Context<'objects'>,
  { objectKey, size }: { objectKey: string; size: number },
  { offset, limit }: { offset: number; limit: number },
) {
  const bytes = await readBytes(ctx, objectKey, offset, limit)
  const encoding = offset === 0 ? detectEncoding(bytes) : await findEncoding(ctx, objectKey)
  const end = Math.min(offset + bytes.length, size)
  const { text, used } = decodePart(bytes, { encoding, offset, isLast: end >= size })
  return { text, nextOffset: end >= size ? null : offset + used }
}

const findEncoding = async (ctx: Context<'objects'>, key: string): Promise<TextEncoding> =>
  detectEncoding(await readBytes(ctx, key, 0, 2))

async function readBytes(
  ctx: Context<'objects'>,
  key: string,
  start: number,
  length: number,
): Promise<Buffer> {
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

interface Part {
  encoding: TextEncoding
  offset: number
  isLast: boolean
}

export function decodePart(bytes: Buffer, { encoding, offset, isLast }: Part) {
  const start = startOf(bytes, encoding, offset)
  const end = isLast ? bytes.length : endOf(bytes, encoding, offset)
  return {
    text: new TextDecoder(encoding, { ignoreBOM: offset > 0 }).decode(bytes.subarray(start, end)),
    used: end,
  }
}

/** Skips the rest of a character that begins before these bytes. */
function startOf(bytes: Buffer, encoding: TextEncoding, offset: number): number {
  if (encoding !== 'utf-8') return offset % 2
  let start = 0
  while (offset > 0 && start < 3 && isContinuation(bytes[start])) start++
  return start
}

/** Omits a character that ends after these bytes. */
function endOf(bytes: Buffer, encoding: TextEncoding, offset: number): number {
  const { length } = bytes
  if (encoding !== 'utf-8') {
    const end = length - ((length + offset) % 2)
    const unit = encoding === 'utf-16le' ? bytes[end - 1]! : bytes[end - 2]!
    const isHighSurrogate = unit >= 0xd8 && unit <= 0xdb
    return isHighSurrogate ? end - 2 : end
  }
  let lead = length - 1
  while (lead > length - 4 && lead > 0 && isContinuation(bytes[lead])) lead--
  const needed = lengthOf(bytes[lead]!)
  return lead + needed > length ? lead : length
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

function lengthOf(lead: number): number {
  if (lead >= 0xf0) return 4
  if (lead >= 0xe0) return 3
  return lead >= 0xc0 ? 2 : 1
}
