import type { Sql } from '../../../database/database.ts'

interface Activity {
  agentId: string
  lastRunAt: string
  days: { day: string; succeeded: number; failed: number; canceled: number; active: number }[]
}

/** Run ids begin with the time of creation, so the index of recent runs finds the period's, and each is read once. */
export async function listActivity(
  sql: Sql,
  orgId: string,
  agentId: string | null,
  { from, firstRunId }: { from: string; firstRunId: string },
): Promise<Activity[]> {
  const [agents, days] = await Promise.all([
    sql<{ agentId: string; lastRunAt: string }[]>`
      select a.id as "agentId", newest.created_at as "lastRunAt"
      from agents a
      cross join lateral (
        select r.created_at from runs r
        where r.org_id = ${orgId} and r.agent_id = any(array[a.id]) and r.agent_id is not null
        order by r.org_id, r.agent_id, r.id desc limit 1
      ) newest
      where a.org_id = ${orgId} and ${agentId === null ? sql`a.archived_at is null` : sql`a.id = ${agentId}`}
      order by a.id`,
    sql<(Activity['days'][number] & { agentId: string })[]>`
      select r.agent_id as "agentId", (r.created_at at time zone 'UTC')::date::text as day,
        count(*) filter (where r.status = 'succeeded')::int as succeeded,
        count(*) filter (where r.status = 'failed')::int as failed,
        count(*) filter (where r.status = 'canceled')::int as canceled,
        count(*) filter (where r.status in ('queued', 'running', 'waiting'))::int as active
      from runs r
      where r.org_id = ${orgId} and r.agent_id is not null and r.id >= ${firstRunId}
        and r.created_at >= ${from}::date::timestamp at time zone 'UTC'
        ${agentId === null ? sql`` : sql`and r.agent_id = ${agentId}`}
      group by 1, 2 order by 2`,
  ])
  const daysOf = Map.groupBy(days, (day) => day.agentId)
  return agents.map((agent) => ({
    ...agent,
    days: (daysOf.get(agent.agentId) ?? []).map(({ agentId: _agentId, ...day }) => day),
  }))
}
