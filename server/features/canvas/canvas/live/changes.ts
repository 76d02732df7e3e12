import type { LiveEvents } from '../../../../../contract/canvas/live.ts'
import type { Sql } from '../../../../database/database.ts'
import { formatEvent } from '../../../../streams/sse-connection.ts'
import type { Batch } from '../../../../streams/topic.ts'

/** Changes per read; one change may be 100 KB. */
const BATCH_MAX = 200

export const formatLiveEvent = <N extends keyof LiveEvents>(
  name: N,
  data: LiveEvents[N],
  id?: number,
): Buffer => formatEvent(name, data, id)

/** The changes of a canvas after `after`, in order. */
export async function readChanges(
  sql: Sql,
  orgId: string,
  projectId: string,
  after: number,
): Promise<Batch<number>> {
  const rows = await sql<LiveEvents['change'][]>`
    select c.seq, c.entity, c.item_id as "itemId", c.action, c.before, c.after,
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as by,
      c.run_id as "runId", c.created_at as "createdAt"
    from canvas_changes c left join users u on u.id = c.user_id
    where c.org_id = ${orgId} and c.project_id = ${projectId} and c.seq > ${after}
    order by c.seq limit ${BATCH_MAX}`
  return {
    events: rows.map((row) => ({ cursor: row.seq, frame: formatLiveEvent('change', row, row.seq) })),
    next: rows.at(-1)?.seq ?? after,
    hasMore: rows.length === BATCH_MAX,
  }
}
