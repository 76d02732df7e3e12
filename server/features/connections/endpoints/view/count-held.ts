import type { Sql } from '../../../../database/database.ts'

const COUNTED_MAX = 1000

/** How many events wait until each connection works again; none for one that works. At most 1000 of each endpoint count. */
export async function countHeld(
  sql: Sql,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ id: string; count: number }[]>`
    select c.id, sum(held.count)::int as count from connections c
    join connector_endpoints e on e.org_id = c.org_id and e.connection_id = c.id and e.deleted_at is null
    cross join lateral (
      select count(*) from (
        select from connector_events v
        where v.org_id = e.org_id and v.endpoint_id = e.id and v.status = 'pending' limit ${COUNTED_MAX}) v
    ) held
    where c.org_id = ${orgId} and c.id = any(${ids as string[]}::uuid[]) and c.status <> 'active'
    group by c.id`
  return new Map(rows.map(({ id, count }) => [id, count]))
}
