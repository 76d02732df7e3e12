import type { Sql } from '../../../../database/database.ts'

export interface Batch {
  /** Their rows in the queue, as they were read. */
  queued: { sourceId: string; revision: number; attempts: number }[]
  /** The project, or the organization. All passages are of this one. */
  spaceId: string | null
  passages: WaitingPassage[]
}

export interface WaitingPassage {
  sourceId: string
  ordinal: number
  title: string
  heading: string
  context: string
  text: string
  /** Tells whether the passage is still the same when its vector arrives. */
  hash: string
}

const SOURCES_MAX = 64

/** The oldest sources' passages without a vector. One space at a time, because a project may have a budget. */
export async function readBatch(
  sql: Sql,
  orgId: string,
  embedderId: string,
  { passagesMax, now }: { passagesMax: number; now: Date },
): Promise<Batch> {
  const rows = await sql<(Batch['queued'][number] & { spaceId: string })[]>`
    select q.source_id as "sourceId", q.revision, q.attempts, s.space_id as "spaceId"
    from (
      select * from passage_embedding_queue q
      where q.org_id = ${orgId} and q.embedder_id = ${embedderId} and q.queued_at <= ${now}
      order by q.queued_at, q.source_id limit ${SOURCES_MAX}
    ) q
    join passage_sources s on s.org_id = ${orgId} and s.id = q.source_id
    order by q.queued_at, q.source_id`
  const spaceId = rows[0]?.spaceId ?? null
  const queued = rows.filter((row) => row.spaceId === spaceId)
  const passages =
    queued.length === 0
      ? []
      : await listWaiting(sql, orgId, { embedderId, ids: queued.map((row) => row.sourceId), passagesMax })
  return { queued, spaceId, passages }
}

interface Waiting {
  embedderId: string
  ids: string[]
  passagesMax: number
}

const listWaiting = (sql: Sql, orgId: string, { embedderId, ids, passagesMax }: Waiting) => sql<
  WaitingPassage[]
>`
  select p.source_id as "sourceId", p.ordinal, s.title, p.heading, p.context, p.text, passage.hash
  from passage_sources s
  join passages p on p.org_id = ${orgId} and p.source_id = s.id
  cross join lateral (select md5(p.heading || E'\n' || p.context || E'\n' || p.text) as hash) passage
  where s.org_id = ${orgId} and s.id = any(${ids}::uuid[]) and not exists (
    select from passage_embeddings e
    where e.org_id = ${orgId} and e.source_id = p.source_id and e.ordinal = p.ordinal and e.embedder_id = ${embedderId})
  order by p.source_id, p.ordinal limit ${passagesMax}`

export interface Vector extends Pick<WaitingPassage, 'sourceId' | 'ordinal' | 'hash'> {
  /** Null if the model refuses the text. */
  code: string | null
  /** Base64. */
  vector: string | null
}

/** A passage that has changed in the meantime gets none. Locks the others, so that they can't. */
export const insertVectors = (sql: Sql, orgId: string, embedderId: string, vectors: readonly Vector[]) => sql`
  with same as materialized (
    select p.source_id, p.ordinal, r.code, r.vector
    from jsonb_to_recordset(${sql.json(vectors as never)}) as r ("sourceId" uuid, ordinal int, hash text, code text, vector text)
    join passages p on p.org_id = ${orgId} and p.source_id = r."sourceId" and p.ordinal = r.ordinal
    where md5(p.heading || E'\n' || p.context || E'\n' || p.text) = r.hash
    order by p.source_id, p.ordinal for key share of p
  ), coded as (
    insert into passage_embeddings (org_id, source_id, ordinal, embedder_id, code)
    select ${orgId}, s.source_id, s.ordinal, ${embedderId}, s.code::varbit from same s
    on conflict do nothing
  )
  insert into passage_vectors (org_id, source_id, ordinal, embedder_id, vector)
  select ${orgId}, s.source_id, s.ordinal, ${embedderId}, decode(s.vector, 'base64') from same s where s.vector is not null
  on conflict do nothing`

const ATTEMPT_DELAYS_S = [30, 300, 1800]

/** The model is no longer asked for a usable vector. */
export const isGivenUp = ({ attempts }: Batch['queued'][number]): boolean =>
  attempts >= ATTEMPT_DELAYS_S.length

/** Other sources needn't wait for those that a model returns no usable vector for. */
export async function postponeFaulty(
  sql: Sql,
  orgId: string,
  embedderId: string,
  { queued, now }: { queued: Batch['queued']; now: Date },
): Promise<void> {
  if (queued.length === 0) return
  await sql`
    update passage_embedding_queue q set attempts = q.attempts + 1,
      queued_at = ${now}::timestamptz + (${ATTEMPT_DELAYS_S}::int[])[q.attempts + 1] * interval '1 second'
    from unnest(${queued.map(({ sourceId }) => sourceId)}::uuid[], ${queued.map(({ revision }) => revision)}::int[])
      r (source_id, revision)
    where q.org_id = ${orgId} and q.embedder_id = ${embedderId} and q.source_id = r.source_id
      and q.revision = r.revision and q.attempts < ${ATTEMPT_DELAYS_S.length}`
}

export async function hasFaulty(sql: Sql, orgId: string, embedderId: string): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`
    select exists (
      select from passage_embedding_queue
      where org_id = ${orgId} and embedder_id = ${embedderId} and attempts > 0) as has`
  return row!.has
}

/** Those that have all vectors. A source that was queued again stays: its revision is another. */
export const deleteDone = (sql: Sql, orgId: string, embedderId: string, queued: Batch['queued']) => sql`
  delete from passage_embedding_queue q
  using unnest(${queued.map(({ sourceId }) => sourceId)}::uuid[], ${queued.map(({ revision }) => revision)}::int[])
    r (source_id, revision)
  where q.org_id = ${orgId} and q.embedder_id = ${embedderId} and q.source_id = r.source_id and q.revision = r.revision
    and not exists (
      select from passages p
      where p.org_id = ${orgId} and p.source_id = q.source_id and not exists (
        select from passage_embeddings e
        where e.org_id = ${orgId} and e.source_id = p.source_id and e.ordinal = p.ordinal
          and e.embedder_id = ${embedderId}))`

/** When the next source may be embedded. Null without any. */
export async function findNext(sql: Sql, orgId: string, embedderId: string): Promise<Date | null> {
  const [row] = await sql<{ queuedAt: string }[]>`
    select queued_at as "queuedAt" from passage_embedding_queue
    where org_id = ${orgId} and embedder_id = ${embedderId} order by queued_at limit 1`
  return row ? new Date(row.queuedAt) : null
}

/** Other projects' sources come first. */
export const postponeSpace = (
  sql: Sql,
  orgId: string,
  embedderId: string,
  { spaceId, until }: { spaceId: string; until: Date },
) => sql`
  update passage_embedding_queue q set queued_at = ${until} from passage_sources s
  where q.org_id = ${orgId} and q.embedder_id = ${embedderId} and q.queued_at < ${until}
    and s.org_id = ${orgId} and s.id = q.source_id and s.space_id = ${spaceId}`

const QUEUED_AT_ONCE = 500

/** Of the sources from before the model was chosen. Returns the last, or null after all. */
export async function queueSources(
  sql: Sql,
  orgId: string,
  embedderId: string,
  after: string,
): Promise<string | null> {
  const [row] = await sql<{ last: string | null }[]>`
    with page as materialized (
      select s.id, s.passages from passage_sources s
      where s.org_id = ${orgId} and s.id > ${after} order by s.id limit ${QUEUED_AT_ONCE} for key share of s
    ), queued as (
      insert into passage_embedding_queue (org_id, embedder_id, source_id, queued_at)
      select ${orgId}, ${embedderId}, p.id, now() from page p where p.passages > 0
      on conflict do nothing
    )
    select max(p.id::text)::uuid as last from page p`
  return row!.last
}

const DELETED_AT_ONCE = 5000

/** Returns whether everything is gone. Vectors that a changed source is deleting itself are left to it. */
export async function deleteRetired(sql: Sql, orgId: string, embedderId: string): Promise<boolean> {
  const deleted = await sql`
    delete from passage_embeddings where (org_id, source_id, ordinal, embedder_id) in (
      select e.org_id, e.source_id, e.ordinal, e.embedder_id from passage_embeddings e
      where e.org_id = ${orgId} and e.embedder_id = ${embedderId} limit ${DELETED_AT_ONCE} for update skip locked)`
  if (deleted.count > 0) return false
  const { count } = await sql`
    delete from passage_embedders d
    where d.org_id = ${orgId} and d.id = ${embedderId} and d.state = 'retired' and not exists (
      select from passage_embeddings e where e.org_id = ${orgId} and e.embedder_id = ${embedderId})`
  return count > 0
}
