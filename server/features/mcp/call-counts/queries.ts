import type { Sql } from '../../../database/database.ts'

export interface CallCount {
  orgId: string
  tool: string
  calls: number
  failed: number
  clients: string[]
  lastAt: Date
}

const CLIENTS_MAX = 10

export const addCounts = (sql: Sql, counts: readonly CallCount[]) => sql`
  insert into mcp_calls (org_id, hour, tool, calls, failed, clients, last_at)
  select "orgId", date_trunc('hour', "lastAt", 'UTC'), tool, calls, failed, clients, "lastAt"
  from jsonb_to_recordset(${sql.json(counts as never)})
    as c ("orgId" uuid, tool text, calls int, failed int, clients text[], "lastAt" timestamptz)
  on conflict (org_id, hour, tool) do update set
    calls = mcp_calls.calls + excluded.calls,
    failed = mcp_calls.failed + excluded.failed,
    clients = (
      select array_agg(name order by name) from (
        select distinct name from unnest(mcp_calls.clients || excluded.clients) as name limit ${CLIENTS_MAX}
      ) names
    ),
    last_at = greatest(mcp_calls.last_at, excluded.last_at)`

export const listCounts = (sql: Sql, orgId: string, since: Date) => sql<
  { tool: string; calls: number; failed: number; clients: string[]; lastAt: string }[]
>`
  with counted as materialized (
    select tool, calls, failed, clients, last_at from mcp_calls where org_id = ${orgId} and hour >= ${since}
  ), named as (
    select tool, (array_agg(name order by name))[1:${CLIENTS_MAX}::int] as clients from (
      select distinct c.tool, name from counted c, unnest(c.clients) as name
    ) names group by tool
  )
  select c.tool, sum(c.calls)::int as calls, sum(c.failed)::int as failed, max(c.last_at) as "lastAt",
    coalesce(n.clients, '{}') as clients
  from counted c left join named n using (tool)
  group by c.tool, n.clients order by 2 desc, 1`

export const deleteCounts = (sql: Sql, before: Date) => sql`delete from mcp_calls where hour < ${before}`
