import type { Sql } from '../../../database/database.ts'

export interface TextAuthor {
  blockId: string
  field: 'title' | 'content' | 'agent'
  isGuest: boolean
  /** The run that wrote it. */
  runId: string | null
}

/** Who wrote the title and the content that blocks have now, and who chose the agent of agent blocks. */
export const listAuthors = (sql: Sql, orgId: string, projectId: string, blockIds: string[]) =>
  sql<TextAuthor[]>`
    select b.id as "blockId", f.field, c.user_id is null as "isGuest", c.run_id as "runId"
    from unnest(${blockIds}::uuid[]) as b (id)
    cross join (values ('title'), ('content'), ('agent')) as f (field)
    cross join lateral (
      select c.user_id, c.run_id from canvas_changes c
      where c.org_id = ${orgId} and c.project_id = ${projectId} and c.item_id = b.id and c.entity = 'block'
        and case f.field
          when 'agent' then c.after -> 'metadata' is not null
            and c.after -> 'metadata' -> 'agentId' is distinct from c.before -> 'metadata' -> 'agentId'
          else c.after -> f.field is not null
        end
      order by c.seq desc limit 1
    ) c`
