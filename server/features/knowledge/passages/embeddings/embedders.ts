import type { Sql } from '../../../../database/database.ts'
import { notify } from '../../../../database/transaction.ts'
import type { Embedder, Models } from '../../../../language-models/models.ts'
import { newId } from '../../../../security/ids.ts'
import { readSettings } from '../../../organizations/settings/settings.ts'
import { SEARCH_CHANNEL } from '../../../search/search.ts'

export type EmbedderModels = Pick<Models, 'embedder' | 'staticEmbedder'>
export type EmbedderState = 'building' | 'serving' | 'retired'

export interface EmbedderRow {
  id: string
  model: string
  state: EmbedderState
  dimensions: number | null
  problem: string | null
}

interface Chosen {
  model: string | null
  source: 'organization' | 'server' | null
}

/** The organization's, else the server's. */
export async function chosenModel(models: EmbedderModels, sql: Sql, orgId: string): Promise<Chosen> {
  const { embeddings } = await readSettings(sql, { orgId })
  if (embeddings.model !== null) return { model: embeddings.model, source: 'organization' }
  const own = await models.staticEmbedder()
  return { model: own?.id ?? null, source: own && 'server' }
}

export const findEmbedder = (
  models: EmbedderModels,
  orgId: string,
  model: string,
): Promise<Embedder | null> => models.embedder(orgId, model)

export const listEmbedders = (sql: Sql, orgId: string) => sql<EmbedderRow[]>`
  select id, model, state, dimensions, problem from passage_embedders
  where org_id = ${orgId} and state <> 'retired' order by state`

/** Whose vectors are complete. */
export async function findServing(sql: Sql, orgId: string): Promise<EmbedderRow | null> {
  const [row] = await sql<EmbedderRow[]>`
    select id, model, state, dimensions, problem from passage_embedders
    where org_id = ${orgId} and state = 'serving'`
  return row ?? null
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * Starts to build the vectors of a new model; those of the former stay until they are complete. Must run in a
 * transaction.
 */
export async function applyChoice(sql: Sql, orgId: string, model: string | null, now: Date): Promise<void> {
  const rows = await lockChoice(sql, orgId)
  const serving = rows.find(({ state }) => state === 'serving')
  const building = rows.find(({ state }) => state === 'building')
  if (model === null && serving) await retire(sql, orgId, serving.id, now)
  const isWanted = building?.model === model && serving?.model !== model
  if (building && !isWanted) await retire(sql, orgId, building.id, now)
  if (model === null || isWanted || serving?.model === model) return
  await startEmbedder(sql, orgId, model, now)
  notify(sql, SEARCH_CHANNEL)
}

const startEmbedder = (sql: Sql, orgId: string, model: string, now: Date, dueAt = now) => sql`
  insert into passage_embedders (org_id, id, model, state, queued_to, due_at, created_at)
  values (${orgId}, ${newId()}, ${model}, 'building', ${BEFORE_ALL}, ${dueAt}, ${now})`

const retire = (sql: Sql, orgId: string, id: string, now: Date) => sql`
  update passage_embedders set state = 'retired', due_at = ${now}, attempts = 0, problem = null
  where org_id = ${orgId} and id = ${id}`

/** A server whose vectors keep changing their length would be asked, and paid, without end. */
const AGAIN_AFTER_MS = 60_000

/** For a model whose vectors have another length than before, so that they can't be compared. */
export async function startAgain(
  sql: Sql,
  orgId: string,
  { id, model }: { id: string; model: string },
  now: Date,
) {
  const rows = await lockChoice(sql, orgId)
  // It was replaced, or nobody wants a model any more.
  if (!rows.some((row) => row.id === id)) return
  await retire(sql, orgId, id, now)
  if (!rows.some((row) => row.id !== id && row.state === 'building'))
    await startEmbedder(sql, orgId, model, now, new Date(now.getTime() + AGAIN_AFTER_MS))
}

/**
 * When nothing is left to embed: searches use it from now on, and the former's vectors are deleted. The embedders must
 * be locked.
 */
export async function serve(sql: Sql, orgId: string, id: string, now: Date): Promise<void> {
  await sql`
    update passage_embedders set state = 'retired', due_at = ${now}
    where org_id = ${orgId} and state = 'serving'
      and exists (select from passage_embedders b where b.org_id = ${orgId} and b.id = ${id} and b.state = 'building')`
  await sql`
    update passage_embedders set state = 'serving' where org_id = ${orgId} and id = ${id} and state = 'building'`
}

/**
 * Those that aren't retired. Every transaction locks them after passages and before the queue, and all in one order, so
 * that none waits in a circle.
 */
export const lockEmbedders = (sql: Sql, orgId: string) => sql<Pick<EmbedderRow, 'id' | 'model' | 'state'>[]>`
  select id, model, state from passage_embedders
  where org_id = ${orgId} and state <> 'retired' order by id for no key update`

/** Waits for passages that are being written for the former choice: the next model's backlog must contain them. */
async function lockChoice(sql: Sql, orgId: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended('embedders' || ${orgId}::text, 0))`
  return lockEmbedders(sql, orgId)
}

/** In the transaction that writes a source's passages, after them. */
export async function queueEmbedding(sql: Sql, orgId: string, sourceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended('embedders' || ${orgId}::text, 0))`
  const ids = (await lockEmbedders(sql, orgId)).map(({ id }) => id)
  if (ids.length === 0) return
  await sql`
    insert into passage_embedding_queue as q (org_id, embedder_id, source_id, queued_at)
    select ${orgId}, id, ${sourceId}, now() from unnest(${ids}::uuid[]) id
    on conflict (org_id, embedder_id, source_id) do update
      set queued_at = excluded.queued_at, revision = q.revision + 1, attempts = 0`
  await sql`
    update passage_embedders set revision = revision + 1,
      due_at = case when due_at is null or is_idle then now() else due_at end
    where org_id = ${orgId} and id = any(${ids}::uuid[])`
  notify(sql, SEARCH_CHANNEL)
}

/** After the passages: a worker that is embedding them holds their locks until its vectors are stored. */
export const deleteEmbeddings = (sql: Sql, orgId: string, sourceId: string, fromOrdinal: number) => sql`
  delete from passage_embeddings
  where org_id = ${orgId} and source_id = ${sourceId} and ordinal >= ${fromOrdinal}`
