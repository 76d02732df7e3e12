import type { LiveEvents } from '../../../../contract/canvas/live.ts'
import type { Sql } from '../../../database/database.ts'
import { eventOf } from '../../../streams/live-events.ts'

/** One reading of the history; a change may be 100 KB. */
export const BATCH = 200

export interface ToldChange {
  seq: number
  createdAt: string
  /** Written once, however many are told. */
  event: Buffer
}

/** What happened to a canvas after this change, in order; `BATCH` of them at most. */
export async function listChanges(
  sql: Sql,
  orgId: string,
  projectId: string,
  after: number,
): Promise<ToldChange[]> {
  const rows = await sql<LiveEvents['change'][]>`
    select c.seq, c.entity, c.item_id as "itemId", c.action, c.before, c.after,
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as by,
      c.run_id as "runId", c.created_at as "createdAt"
    from canvas_changes c left join users u on u.id = c.user_id
    where c.org_id = ${orgId} and c.project_id = ${projectId} and c.seq > ${after}
    order by c.seq limit ${BATCH}`
  return rows.map((row) => ({
    seq: row.seq,
    createdAt: row.createdAt,
    event: eventOf('change', row, row.seq),
  }))
}
