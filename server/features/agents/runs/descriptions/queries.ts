import type { Sql } from '../../../../database/database.ts'

/** A part of a file's content. */
export interface DescribedContent {
  sourceKey: string
  /** 0 for an image. */
  page: number
}

interface Description {
  text: string
  model: string
}

export interface DescriptionState {
  description: Description | null
  /** Then nobody tries again until `retryAt`. Otherwise, somebody is describing it. */
  isFailed: boolean
  retryAt: Date
}

export async function findDescription(
  sql: Sql,
  orgId: string,
  { sourceKey, page }: DescribedContent,
): Promise<DescriptionState | null> {
  const [row] = await sql<{ text: string | null; model: string; isFailed: boolean; retryAt: string }[]>`
    select description as text, model, is_failed as "isFailed", retry_at as "retryAt" from image_descriptions
    where org_id = ${orgId} and source_key = ${sourceKey} and page = ${page}`
  if (!row) return null
  const { text, model, isFailed, retryAt } = row
  return { description: text === null ? null : { text, model }, isFailed, retryAt: new Date(retryAt) }
}

interface Claim extends DescribedContent {
  claimId: string
  model: string
  until: Date
  now: Date
}

/** False if it is described, somebody else has a claim or failed, or the content was purged. */
export async function claimDescription(
  sql: Sql,
  orgId: string,
  { sourceKey, page, claimId, model, until, now }: Claim,
): Promise<boolean> {
  const { count } = await sql`
    insert into image_descriptions (org_id, source_key, page, claim_id, model, retry_at, created_at)
    select o.org_id, o.key, ${page}, ${claimId}, ${model}, ${until}, ${now} from objects o
    where o.org_id = ${orgId} and o.key = ${sourceKey} for key share
    on conflict (org_id, source_key, page) do update set claim_id = excluded.claim_id, model = excluded.model,
      retry_at = excluded.retry_at, is_failed = false
    where image_descriptions.description is null and image_descriptions.retry_at <= ${now}`
  return count === 1
}

type Held = DescribedContent & { claimId: string }

export const storeDescription = (
  sql: Sql,
  orgId: string,
  { sourceKey, page, claimId }: Held,
  description: string,
) => sql`
  update image_descriptions set description = ${description}
  where org_id = ${orgId} and source_key = ${sourceKey} and page = ${page} and claim_id = ${claimId}`

export const storeFailure = (
  sql: Sql,
  orgId: string,
  { sourceKey, page, claimId }: Held,
  retryAt: Date,
) => sql`
  update image_descriptions set is_failed = true, retry_at = ${retryAt}
  where org_id = ${orgId} and source_key = ${sourceKey} and page = ${page} and claim_id = ${claimId}
    and description is null`

/** Somebody else may try at once. */
export const releaseClaim = (sql: Sql, orgId: string, { sourceKey, page, claimId }: Held) => sql`
  delete from image_descriptions
  where org_id = ${orgId} and source_key = ${sourceKey} and page = ${page} and claim_id = ${claimId}
    and description is null`
