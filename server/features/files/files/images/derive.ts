import { join } from 'node:path'
import { IMAGE_SOURCE_BYTES_MAX } from '../../../../../contract/files/image-options.ts'
import { createSingleFlight } from '../../../../concurrency/single-flight.ts'
import { leaveTurn } from '../../../../concurrency/turns.ts'
import type { PublicContext } from '../../../../context.ts'
import { claimContent, discardObject, storeContent } from '../objects.ts'
import { createPool } from '../previews/renderer-pool.ts'
import {
  type ImageFailure,
  type ImageJob,
  type ImageOutcome,
  RASTER_TYPES,
  type RasterType,
  type RenderedImage,
} from './image-job.ts'
import { type DerivedImage, findDerived, type ImageSource, insertDerived } from './queries.ts'

export type ImageContext = Pick<
  PublicContext<'objects'>,
  'sql' | 'objects' | 'now' | 'transaction' | 'enqueue'
>

/** Raise it when the same content would give other bytes. Images of earlier versions stay until their source goes. */
const RECIPE_VERSION = 1

/** For an image: 12 megapixels take 1 s, 64 take 6 s. */
const renderers = createPool<ImageJob, ImageOutcome>({
  program: join(import.meta.dirname, 'image-program.ts'),
  timeMs: 20_000,
  concurrency: 2,
  concurrencyPerOrg: 1,
  waitMs: 60_000,
})

export const isImage = (mimeType: string): boolean =>
  mimeType === SVG || Object.hasOwn(RASTER_TYPES, mimeType)

export const isPdf = (mimeType: string): boolean => mimeType === 'application/pdf'

const SVG = 'image/svg+xml'

const deriveOnce = createSingleFlight<DerivedImage>({ isFailure: (image) => 'failed' in image })

export interface ImageRecipe {
  side: number
  /** Of a PDF. */
  page: number | null
}

/** The same bytes every time: rendered once, stored, and then read. */
export async function deriveImage(
  ctx: ImageContext,
  orgId: string,
  source: ImageSource,
  { side, page }: ImageRecipe,
): Promise<DerivedImage> {
  const recipe = recipeOf({ side, page })
  const stored = await findDerived(ctx.sql, orgId, source.key, recipe)
  if (stored) return stored
  leaveTurn()
  return deriveOnce(JSON.stringify([orgId, source.key, recipe]), async () => {
    const rendered =
      page === null
        ? await render(ctx, orgId, source, side)
        : await renderPage(ctx, orgId, source, page, side)
    return keep(ctx, orgId, source, recipe, rendered)
  })
}

export const recipeOf = ({ side, page }: ImageRecipe): string =>
  `${page === null ? 'image' : `page-${page}`}-${side}.${RECIPE_VERSION}`

/** Text where a page has some, else a stored image. */
export interface DerivedPage {
  page: number
  text: string | null
  image: DerivedImage | null
}

export async function derivePages(
  ctx: ImageContext,
  orgId: string,
  source: ImageSource,
  { from, to, side }: { from: number; to: number; side: number },
): Promise<{ pages: DerivedPage[]; pageCount: number } | { failed: ImageFailure }> {
  leaveTurn()
  const outcome = await renderJob(ctx, orgId, source, { format: 'pdf', sideMax: side, pages: { from, to } })
  if ('failed' in outcome) return outcome
  if (!('pages' in outcome)) return { failed: 'broken' }
  const pages: DerivedPage[] = []
  for (const { page, text, image } of outcome.pages) {
    const recipe = recipeOf({ side, page })
    const existing = image && (await findDerived(ctx.sql, orgId, source.key, recipe))
    pages.push({ page, text, image: existing ?? (image && (await keep(ctx, orgId, source, recipe, image))) })
  }
  return { pages, pageCount: outcome.pageCount }
}

type Rendered = RenderedImage | { failed: ImageFailure }

async function render(
  ctx: ImageContext,
  orgId: string,
  source: ImageSource,
  sideMax: number,
): Promise<Rendered> {
  const type = (RASTER_TYPES as Record<string, RasterType>)[source.mimeType]
  if (!type && source.mimeType !== SVG) return { failed: 'broken' }
  const job: ImageJob = type ? { format: 'raster', type, sideMax } : { format: 'svg', sideMax }
  const outcome = await renderJob(ctx, orgId, source, job)
  if ('failed' in outcome) return outcome
  return 'image' in outcome ? outcome.image : { failed: 'broken' }
}

async function renderPage(
  ctx: ImageContext,
  orgId: string,
  source: ImageSource,
  page: number,
  sideMax: number,
): Promise<Rendered> {
  const job: ImageJob = { format: 'pdf', sideMax, pages: { from: page, to: page }, isDrawn: true }
  const outcome = await renderJob(ctx, orgId, source, job)
  if ('failed' in outcome) return outcome
  return ('pages' in outcome && outcome.pages[0]?.image) || { failed: 'broken' }
}

async function renderJob(
  { objects }: ImageContext,
  orgId: string,
  { key, size }: ImageSource,
  job: ImageJob,
): Promise<ImageOutcome> {
  if (size > IMAGE_SOURCE_BYTES_MAX) return { failed: 'too_large' }
  const content = await objects.get(key)
  if (!content) return { failed: 'broken' }
  return renderers.render(orgId, job, async () => content)
}

/** A slow or busy machine may render it later. */
const MAY_PASS: readonly ImageFailure[] = ['timed_out', 'too_complex']

/** Another process may have been faster: its bytes count. */
async function keep(
  ctx: ImageContext,
  orgId: string,
  { key: sourceKey }: ImageSource,
  recipe: string,
  rendered: Rendered,
): Promise<DerivedImage> {
  if ('failed' in rendered && MAY_PASS.includes(rendered.failed)) return rendered
  const image = 'failed' in rendered ? rendered : await store(ctx, orgId, rendered)
  const isInserted = await ctx.transaction(async ({ sql, now }) => {
    const inserted = await insertDerived(sql, orgId, { sourceKey, recipe, image, now: now() })
    if (inserted && 'key' in image) await claimContent({ sql, now }, orgId, image.key)
    return inserted
  })
  if (isInserted) return image
  if ('key' in image) await discardObject(ctx as PublicContext<'objects'>, orgId, image.key)
  return (await findDerived(ctx.sql, orgId, sourceKey, recipe)) ?? { failed: 'broken' }
}

async function store(ctx: ImageContext, orgId: string, { bytes, ...image }: RenderedImage) {
  const key = await storeContent(ctx as PublicContext<'objects'>, orgId, once(bytes))
  return { ...image, key, size: bytes.length }
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
