import type { Sql } from '../../../../database/database.ts'
import type { ImageFailure, RenderedImage } from './image-job.ts'

export interface StoredImage {
  key: string
  mimeType: RenderedImage['mimeType']
  width: number
  height: number
  size: number
}

export type DerivedImage = StoredImage | { failed: ImageFailure }

type Row = Partial<StoredImage> & { failure: ImageFailure | null }

export async function findDerived(
  sql: Sql,
  orgId: string,
  sourceKey: string,
  recipe: string,
): Promise<DerivedImage | null> {
  const [row] = await sql<Row[]>`
    select object_key as key, mime_type as "mimeType", width, height, size, failure from derived_images
    where org_id = ${orgId} and source_key = ${sourceKey} and recipe = ${recipe}`
  if (!row) return null
  return row.failure ? { failed: row.failure } : (row as StoredImage)
}

interface NewDerivedImage {
  sourceKey: string
  recipe: string
  image: DerivedImage
  now: Date
}

/** False if there is one already, or the source was purged meanwhile. */
export async function insertDerived(
  sql: Sql,
  orgId: string,
  { sourceKey, recipe, image, now }: NewDerivedImage,
): Promise<boolean> {
  const stored = 'failed' in image ? null : image
  const failure = 'failed' in image ? image.failed : null
  const { count } = await sql`
    insert into derived_images (org_id, source_key, recipe, object_key, mime_type, width, height, size, failure, created_at)
    select o.org_id, o.key, ${recipe}, ${stored?.key ?? null}, ${stored?.mimeType ?? null}, ${stored?.width ?? null}::int,
      ${stored?.height ?? null}::int, ${stored?.size ?? null}::int, ${failure}, ${now}
    from objects o where o.org_id = ${orgId} and o.key = ${sourceKey} for key share
    on conflict (org_id, source_key, recipe) do nothing`
  return count === 1
}

export interface ImageSource {
  fileId: string
  version: number
  key: string
  mimeType: string
  size: number
}

/** Also of a trashed file: a conversation that shows it stays as it was. */
export async function findSource(
  sql: Sql,
  orgId: string,
  { fileId, version }: { fileId: string; version: number },
): Promise<ImageSource | null> {
  const [row] = await sql<ImageSource[]>`
    select f.id as "fileId", f.content_number as version, f.object_key as key, f.mime_type as "mimeType", f.size
    from files f
    where f.org_id = ${orgId} and f.id = ${fileId} and f.content_number = ${version} and f.object_key is not null
    union all
    select v.file_id, v.number, v.object_key, v.mime_type, v.size from file_versions v
    where v.org_id = ${orgId} and v.file_id = ${fileId} and v.number = ${version}`
  return row ?? null
}

interface SizedImage {
  fileId: string
  version: number
  width: number
  height: number
}

/** Of images that were rendered by the recipe. */
export const listSizes = (
  sql: Sql,
  orgId: string,
  refs: readonly { fileId: string; version: number }[],
  recipe: string,
) => sql<SizedImage[]>`
  select r.file_id as "fileId", r.version, d.width, d.height
  from unnest(${refs.map(({ fileId }) => fileId)}::uuid[], ${refs.map(({ version }) => version)}::int[])
    as r (file_id, version)
  cross join lateral (
    select f.object_key as key from files f
    where f.org_id = ${orgId} and f.id = r.file_id and f.content_number = r.version and f.object_key is not null
    union all
    select v.object_key from file_versions v
    where v.org_id = ${orgId} and v.file_id = r.file_id and v.number = r.version
  ) c
  join derived_images d on d.org_id = ${orgId} and d.source_key = c.key and d.recipe = ${recipe}
  where d.width is not null`

interface CurrentContent {
  fileId: string
  version: number
  /** The run that wrote it, if it isn't trusted or unknown. */
  isByUntrustedRun: boolean
}

export const listCurrent = (sql: Sql, orgId: string, fileIds: readonly string[]) => sql<CurrentContent[]>`
  select f.id as "fileId", f.content_number as version,
    f.run_id is not null and coalesce(r.trust, 'untrusted') <> 'trusted' as "isByUntrustedRun"
  from files f left join runs r on r.org_id = f.org_id and r.id = f.run_id
  where f.org_id = ${orgId} and f.id = any(${[...fileIds]}::uuid[])`
