import type { Fragment, Sql } from '../../../../database/database.ts'
import type { ListTextOrigins } from '../../../../tools/text-guard.ts'
import type { FindOutsideBlocks } from '../../../../tools/tool.ts'

/** Fields of the metadata that decide what a block does. */
const SETTINGS = ['outputSchema', 'step', 'forEach'] as const

export type BlockText = 'title' | 'content' | 'agent' | (typeof SETTINGS)[number]

interface OutsideText {
  blockId: string
  field: BlockText
}

/**
 * Texts and agent choices last written by a guest, or by a run that had read untrusted content. A member who edits a
 * text makes it their own. Restoring it (rewind, snapshot, undo) or copying it doesn't.
 */
export const listOutsideTexts = (
  sql: Sql,
  orgId: string,
  projectId: string,
  blockIds: string[],
  fields: BlockText[],
) =>
  sql<OutsideText[]>`
    select b.id as "blockId", f.field
    from blocks b
    cross join unnest(${fields}::text[]) as f (field)
    left join lateral (
      select c.seq, c.user_id, c.run_id, ${writtenValue(sql)} as value from canvas_changes c
      where c.org_id = b.org_id and c.project_id = b.project_id and c.item_id = b.id and c.entity = 'block'
        and case f.field
          when 'agent' then c.after -> 'metadata' is not null
            and c.after -> 'metadata' -> 'agentId' is distinct from c.before -> 'metadata' -> 'agentId'
          when 'title' then c.after -> 'title' is not null
          when 'content' then c.after -> 'content' is not null
          else c.after -> 'metadata' is not null
            and c.after -> 'metadata' -> f.field is distinct from c.before -> 'metadata' -> f.field
        end
      order by c.seq desc limit 1
    ) last on true
    left join lateral (
      select c.user_id, c.run_id from canvas_changes c
      where c.org_id = b.org_id and c.project_id = b.project_id and c.item_id = b.id and c.entity = 'block'
        and ${writtenValue(sql)} = last.value
      order by c.seq limit 1
    ) author on last.value is not null
    left join runs r on r.org_id = b.org_id and r.id = last.run_id
    left join runs a on a.org_id = b.org_id and a.id = author.run_id
    where b.org_id = ${orgId} and b.project_id = ${projectId} and b.id = any(${blockIds}::uuid[])
      and case when last.seq is null then b.created_by is null and f.field in ('title', 'content')
        else last.user_id is null or r.trust <> 'trusted'
          or (last.value is not null and (author.user_id is null or a.trust <> 'trusted')) end
    union
    select o.record_id, o.field from text_origins o
    join blocks b on b.org_id = o.org_id and b.id = o.record_id and b.project_id = ${projectId}
    where o.org_id = ${orgId} and o.record_id = any(${blockIds}::uuid[]) and o.field = any(${fields}::text[])
      and o.hash = text_hash(case o.field when 'title' then b.title else b.content end)`

/** The value change `c` wrote to field `f`. */
const writtenValue = (sql: Sql): Fragment =>
  sql`case f.field when 'agent' then c.after -> 'metadata' -> 'agentId' when 'title' then c.after -> 'title'
    when 'content' then c.after -> 'content' else c.after -> 'metadata' -> f.field end`

/** For tools, which import no feature. */
export const findOutsideBlocks =
  (sql: Sql, orgId: string): FindOutsideBlocks =>
  async (projectId, blockIds, fields) => {
    const texts = await listOutsideTexts(sql, orgId, projectId, blockIds, fields)
    return new Set(texts.map(({ blockId }) => blockId))
  }

/** An empty field is no text. */
export async function listOutsideBlocks(sql: Sql, orgId: string, projectId: string): Promise<string[]> {
  const candidates = await sql<(Record<BlockText, boolean> & { id: string })[]>`
    select distinct b.id, coalesce(b.title, '') <> '' as title, coalesce(b.content, '') <> '' as content,
      b.metadata ? 'agentId' as agent, b.metadata ? 'outputSchema' as "outputSchema", b.metadata ? 'step' as step,
      b.metadata ? 'forEach' as "forEach"
    from blocks b
    join canvas_changes c on c.org_id = b.org_id and c.project_id = b.project_id and c.item_id = b.id and c.entity = 'block'
    left join runs r on r.org_id = c.org_id and r.id = c.run_id
    where b.org_id = ${orgId} and b.project_id = ${projectId} and (c.user_id is null or r.trust <> 'trusted'
      or exists (select from text_origins o where o.org_id = b.org_id and o.record_id = b.id))`
  if (candidates.length === 0) return []
  const blocks = new Map(candidates.map((block) => [block.id, block]))
  const texts = await listOutsideTexts(
    sql,
    orgId,
    projectId,
    [...blocks.keys()],
    ['title', 'content', 'agent', ...SETTINGS],
  )
  const found = texts.filter(({ blockId, field }) => blocks.get(blockId)![field])
  return [...new Set(found.map(({ blockId }) => blockId))].toSorted()
}

/** Most organizations have no such text. */
export const listTextOrigins =
  (sql: Sql, orgId: string): ListTextOrigins =>
  async (recordIds) =>
    (await findTextOrigins(sql, [{ orgId, recordIds }]))[0]!

export interface RecordsRead {
  orgId: string
  recordIds: string[]
}

/** For several organizations, so that calls at the same time share a statement. */
export async function findTextOrigins(sql: Sql, reads: RecordsRead[]): Promise<Set<string>[]> {
  const records = reads.flatMap(({ orgId, recordIds }, place) =>
    recordIds.map((id) => ({ orgId, id, place })),
  )
  const rows = await sql<{ place: number; hash: string }[]>`
    select r.place, encode(o.hash, 'hex') as hash
    from unnest(${records.map(({ orgId }) => orgId)}::uuid[], ${records.map(({ id }) => id)}::uuid[],
      ${records.map(({ place }) => place)}::int[]) as r (org_id, id, place)
    join text_origins o on o.org_id = r.org_id and o.record_id = r.id`
  const hashes = reads.map(() => new Set<string>())
  for (const { place, hash } of rows) hashes[place]!.add(hash)
  return hashes
}
