import type { Sql } from '../../../database/database.ts'

export type BlockText = 'title' | 'content' | 'agent'

interface OutsideText {
  blockId: string
  field: BlockText
}

/**
 * The texts of blocks that are from outside, and the choices of agents: their last change was made by a guest, or by a run
 * that had read content from outside. A member who edits a text makes it their own.
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
      select c.seq, c.user_id, c.run_id from canvas_changes c
      where c.org_id = b.org_id and c.project_id = b.project_id and c.item_id = b.id and c.entity = 'block'
        and case f.field
          when 'agent' then c.after -> 'metadata' is not null
            and c.after -> 'metadata' -> 'agentId' is distinct from c.before -> 'metadata' -> 'agentId'
          else c.after -> f.field is not null
        end
      order by c.seq desc limit 1
    ) c on true
    left join runs r on r.org_id = b.org_id and r.id = c.run_id
    where b.org_id = ${orgId} and b.project_id = ${projectId} and b.id = any(${blockIds}::uuid[])
      and case when c.seq is null then b.created_by is null and f.field <> 'agent'
        else c.user_id is null or r.trust <> 'trusted' end`
