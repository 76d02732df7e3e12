import type { InputOf, OutputOf } from '../../../../../contract/endpoint.ts'
import { type fileImages, IMAGE_PAGES_MAX } from '../../../../../contract/files/images.ts'
import type { Context } from '../../../../context.ts'
import { ApiError, badField, badRequest, notFound, raise } from '../../../../errors.ts'
import { respondWithObject } from '../download/download.ts'
import { findFile } from '../queries.ts'
import { finalize } from '../upload/presigned-upload.ts'
import { type DerivedPage, deriveImage, derivePages, isImage, isPdf } from './derive.ts'
import type { ImageFailure } from './image-job.ts'
import { type DerivedImage, findSource, type ImageSource, listCurrent, type StoredImage } from './queries.ts'
import { MODEL_SIDE, readDerived } from './read-image.ts'

type ServeContext = Context<'objects' | 'suspensions'>

/** A version's content never changes, and neither does its image. */
const IMMUTABLE = 'private, max-age=31536000, immutable'

export async function thumbnail(
  ctx: ServeContext,
  { id, version, page, size, byteRequest }: InputOf<typeof fileImages.thumbnail>,
) {
  const source = await findVisible(ctx, id, version)
  const pageOf = isPdf(source.mimeType) ? page : null
  const image = await deriveImage(ctx, ctx.caller.orgId, source, { side: Number(size), page: pageOf })
  const { key, mimeType } = stored(image)
  return respondWithObject(
    ctx.objects,
    {
      key,
      contentType: mimeType,
      disposition: 'inline',
      tag: key,
      headers: { 'cache-control': version === undefined ? 'private, no-cache' : IMMUTABLE },
    },
    byteRequest,
  )
}

type Images = OutputOf<typeof fileImages.read>
type Part = Images['parts'][number]

export async function read(
  ctx: ServeContext,
  { id, version, pages, data }: InputOf<typeof fileImages.read>,
): Promise<Images> {
  const source = await findVisible(ctx, id, version)
  const { mimeType } = source
  const identity = { fileId: source.fileId, version: source.version, mimeType }
  if (!isPdf(mimeType)) {
    const image = await deriveImage(ctx, ctx.caller.orgId, source, { side: MODEL_SIDE, page: null })
    const part = { page: null, text: null, image: await present(ctx, stored(image), data) }
    return { ...identity, pageCount: null, parts: [part] }
  }
  const derived = await derivePages(ctx, ctx.caller.orgId, source, { ...rangeOf(pages), side: MODEL_SIDE })
  if ('failed' in derived) throw refusal(derived.failed)
  const parts: Part[] = []
  for (const page of derived.pages) parts.push(await presentPage(ctx, page, data))
  return { ...identity, pageCount: derived.pageCount, parts }
}

/** In a link, its target's content. */
async function findVisible(ctx: ServeContext, id: string, version: number | undefined): Promise<ImageSource> {
  const { sql, caller } = ctx
  const found = (await findFile(sql, caller, id)) ?? raise(notFound('File'))
  const file = await finalize(ctx, found)
  if (file.source === 'folder') throw badRequest('A folder has no image')
  if (file.objectKey === null || file.status === 'pending') throw notFound('File content')
  const fileId = file.targetId ?? file.id
  const [current] = version === undefined ? await listCurrent(sql, caller.orgId, [fileId]) : []
  const number = version ?? current?.version ?? raise(notFound('File content'))
  const source =
    (await findSource(sql, caller.orgId, { fileId, version: number })) ?? raise(notFound('Version'))
  if (!isImage(source.mimeType) && !isPdf(source.mimeType))
    throw new ApiError('BAD_REQUEST', `This file is neither an image nor a PDF (${source.mimeType})`, {
      details: { reason: 'not_image' },
    })
  return source
}

function rangeOf(pages: string | undefined): { from: number; to: number } {
  if (pages === undefined) return { from: 1, to: IMAGE_PAGES_MAX }
  const [from, to = from] = pages.split('-').map(Number) as [number, number?]
  if (to - from >= IMAGE_PAGES_MAX) throw badField('query.pages', `must be at most ${IMAGE_PAGES_MAX} pages`)
  return { from, to }
}

async function presentPage(
  ctx: ServeContext,
  { page, text, image }: DerivedPage,
  withData: boolean,
): Promise<Part> {
  return { page, text, image: image && (await present(ctx, stored(image), withData)) }
}

async function present({ objects }: ServeContext, image: StoredImage, withData: boolean) {
  const { mimeType, width, height } = image
  if (!withData) return { mimeType, width, height }
  const bytes = (await readDerived(objects, image)) ?? raise(notFound('File content'))
  return { mimeType, width, height, data: bytes.toString('base64') }
}

function stored(image: DerivedImage): StoredImage {
  if ('failed' in image) throw refusal(image.failed)
  return image
}

const refusal = (failure: ImageFailure) =>
  new ApiError('BAD_REQUEST', REFUSALS[failure], { details: { reason: failure } })

const REFUSALS: Record<ImageFailure, string> = {
  broken: 'The image cannot be read: it is damaged, or its content does not match its type',
  encrypted: 'The file is password-protected',
  too_complex: 'The image is too complex to read: download the file',
  too_large: 'The image is too large: at most 50 MB and 64 megapixels can be read',
  timed_out: 'Reading the image took too long: try again, or download the file',
}
