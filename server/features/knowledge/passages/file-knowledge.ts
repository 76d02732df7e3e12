import type { z } from 'zod'
import type { FileKnowledge } from '../../../../contract/knowledge/passages.ts'
import type { Sql } from '../../../database/database.ts'

/** Null for a folder or link. The caller must be allowed to see the file. */
export async function fileKnowledge(
  sql: Sql,
  orgId: string,
  fileId: string,
): Promise<z.output<typeof FileKnowledge> | null> {
  const [row] = await sql<z.output<typeof FileKnowledge>[]>`
    select case
        when e.text_due_at is not null then case when e.text_attempts > 0 then 'indexing' else 'waiting' end
        when s.state is not null and s.state <> 'waiting' then s.state
        when e.text_key is not null then 'failed'
        else 'unsupported'
      end as state,
      case when e.text_due_at is null then case
        when s.state = 'failed' then s.reason when s.state is null and e.text_key is not null then 'too_complex' end
      end as problem,
      coalesce(s.passages, 0) as passages, s.pages, coalesce(s.truncated, false) as truncated
    from files f
    left join search_entries e
      on e.org_id = ${orgId} and e.id = f.id and e.type = 'file' and e.scope_id = ${orgId}
    left join passage_sources s
      on s.org_id = ${orgId} and s.item_id = f.id and s.type = 'file' and s.scope_id = ${orgId}
        and s.version = f.content_number
    where f.org_id = ${orgId} and f.id = ${fileId} and f.source = 'upload' and f.status = 'ready'`
  return row ?? null
}
