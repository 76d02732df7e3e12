import type { Caller } from '../../../../context.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import { inScope, type Scope } from '../candidate-queries.ts'
import { isSourceVisible } from '../visible.ts'
import { similarity, toCode } from './quantize.ts'

/** Compared exactly, of those whose codes are nearest. */
const COMPARED_MAX = 200
/** Most searches see nearly everything in their spaces, so these have enough that the caller sees. */
const NEAREST_FIRST = 1000

export interface Near {
  sourceId: string
  ordinal: number
  similarity: number
}

interface Vector extends Omit<Near, 'similarity'> {
  vector: Uint8Array
}

/** By similarity. Only what the caller sees is counted, so what they can't see takes no place. */
export async function findNearest(
  sql: Sql,
  caller: Caller,
  { embedderId, question }: { embedderId: string; question: Float32Array },
  scope: Scope,
): Promise<Near[]> {
  const code = toCode(question)
  const list = (limit: Fragment) => listVisible(sql, caller, { embedderId, code, limit }, scope)
  const first = await list(sql`limit ${NEAREST_FIRST}`)
  const found = first.length < COMPARED_MAX ? await list(sql``) : first
  return found
    .filter(({ vector }) => vector.length === question.length)
    .map(({ vector, ...place }) => ({ ...place, similarity: similarity(question, vector) }))
    .toSorted(
      (a, b) =>
        b.similarity - a.similarity ||
        (a.sourceId < b.sourceId ? -1 : a.sourceId > b.sourceId ? 1 : a.ordinal - b.ordinal),
    )
}

interface Lookup {
  embedderId: string
  code: string
  limit: Fragment
}

/** Nearest first, and checked in this order until there are enough. A vector of another length is compared with none. */
const listVisible = (sql: Sql, caller: Caller, { embedderId, code, limit }: Lookup, scope: Scope) => sql<
  Vector[]
>`
  with nearest as materialized (
    select e.source_id, e.ordinal, bit_count(e.code # ${code}::varbit) as distance
    from passage_sources s
    join passage_embeddings e on e.org_id = ${caller.orgId} and e.source_id = s.id and e.embedder_id = ${embedderId}
    where s.org_id = ${caller.orgId} and s.space_id = any(${[...scope.spaces]}::uuid[]) and s.state = 'ready'
      and length(e.code) = ${code.length}
    order by distance, e.source_id, e.ordinal ${limit}
  ), visible as materialized (
    select n.source_id, n.ordinal, n.distance from nearest n cross join lateral (
      select from passage_sources s
      where s.org_id = ${caller.orgId} and s.id = any(array[n.source_id]) and ${inScope(sql, caller, scope)}
        and ${isSourceVisible(sql, caller)}
      order by s.id limit 1
    ) s
    order by n.distance, n.source_id, n.ordinal limit ${COMPARED_MAX}
  )
  select v.source_id as "sourceId", v.ordinal, x.vector from visible v
  join passage_vectors x on x.org_id = ${caller.orgId} and x.source_id = v.source_id and x.ordinal = v.ordinal
    and x.embedder_id = ${embedderId}`
