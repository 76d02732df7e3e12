import type { Sql } from '../../../../database/database.ts'
import type { ObjectStore } from '../../../../storage/object-store.ts'
import { ObjectStoreUnavailable } from '../../../../storage/unavailable.ts'
import { deriveImage, type ImageContext, isImage, isPdf, recipeOf } from './derive.ts'
import type { ImageFailure } from './image-job.ts'
import { findSource, type ImageSource, listSizes, type StoredImage } from './queries.ts'

/** What a conversation stores instead of the bytes. */
export interface ImageRef {
  fileId: string
  version: number
  /** Of a PDF. */
  page?: number
}

/** Models scale larger images down themselves, and bill for them. */
export const MODEL_SIDE = 1568

export interface ReadImage {
  mimeType: 'image/png' | 'image/jpeg'
  width: number
  height: number
  bytes: Buffer
}

/** For a model: scaled, without metadata, and always the same bytes. The caller has checked access. */
export async function readModelImage(
  ctx: ImageContext,
  orgId: string,
  ref: ImageRef,
): Promise<ReadImage | { failed: ImageFailure | 'gone' | 'unavailable' }> {
  try {
    return await readStored(ctx, orgId, ref)
  } catch (error) {
    if (error instanceof ObjectStoreUnavailable) return { failed: 'unavailable' }
    throw error
  }
}

async function readStored(
  ctx: ImageContext,
  orgId: string,
  { fileId, version, page }: ImageRef,
): Promise<ReadImage | { failed: ImageFailure | 'gone' }> {
  const source = await findSource(ctx.sql, orgId, { fileId, version })
  if (!source) return { failed: 'gone' }
  if (page === undefined ? !isImage(source.mimeType) : !isPdf(source.mimeType)) return { failed: 'broken' }
  const image = await deriveImage(ctx, orgId, source, { side: MODEL_SIDE, page: page ?? null })
  if ('failed' in image) return image
  const bytes = await readDerived(ctx.objects, image)
  const { mimeType, width, height } = image
  return bytes ? { mimeType, width, height, bytes } : { failed: 'gone' }
}

interface ContentRef {
  fileId: string
  version: number
}

/** As models get them. Images that weren't scaled yet are absent. */
export const listModelImageSizes = (sql: Sql, orgId: string, refs: readonly ContentRef[]) =>
  listSizes(sql, orgId, refs, recipeOf({ side: MODEL_SIDE, page: null }))

/** Below a run's lease. */
const PREPARE_MS = 5000

/** Scales those that weren't yet, newest first, as far as time allows. Newest last in `refs`. */
export async function prepareModelImages(
  ctx: ImageContext,
  orgId: string,
  refs: readonly ContentRef[],
): Promise<void> {
  if (refs.length === 0) return
  const ready = new Set((await listModelImageSizes(ctx.sql, orgId, refs)).map(keyOf))
  const startedAt = performance.now()
  for (const ref of refs.toReversed()) {
    if (performance.now() - startedAt > PREPARE_MS) return
    if (ready.has(keyOf(ref))) continue
    ready.add(keyOf(ref))
    const source = await findSource(ctx.sql, orgId, ref)
    if (source && isImage(source.mimeType) && !(await prepare(ctx, orgId, source))) return
  }
}

/** False if the storage is full or doesn't respond. */
async function prepare(ctx: ImageContext, orgId: string, source: ImageSource): Promise<boolean> {
  try {
    await deriveImage(ctx, orgId, source, { side: MODEL_SIDE, page: null })
    return true
  } catch (error) {
    if (error instanceof ObjectStoreUnavailable) return false
    throw error
  }
}

const keyOf = ({ fileId, version }: ContentRef) => `${fileId} ${version}`

const CACHE_BYTES_MAX = 33_554_432

/** A run sends the same images with each of its steps. Keys begin with the organization. */
const cache = new Map<string, Buffer>()
let cachedBytes = 0

/** Null if the object was purged. */
export async function readDerived(objects: ObjectStore, { key }: StoredImage): Promise<Buffer | null> {
  const cached = cache.get(key)
  const bytes = cached ?? (await readAll(objects, key))
  if (bytes) remember(key, bytes)
  return bytes
}

async function readAll(objects: ObjectStore, key: string): Promise<Buffer | null> {
  const content = await objects.get(key)
  return content && Buffer.concat(await content.toArray())
}

/** Most recently used last. */
function remember(key: string, bytes: Buffer): void {
  forget(key)
  cache.set(key, bytes)
  cachedBytes += bytes.length
  for (const oldest of cache.keys()) {
    if (cachedBytes <= CACHE_BYTES_MAX) break
    forget(oldest)
  }
}

function forget(key: string): void {
  cachedBytes -= cache.get(key)?.length ?? 0
  cache.delete(key)
}
