import type { Sql } from '../../../database/database.ts'

interface Activity {
  agentId: string
  lastRunAt: string
  days: { day: string; succeeded: number; failed: number; canceled: number; active: number }[]
}

/**
 * Run ids begin with the time of creation, so that the index of an agent's runs finds the newest one and the period's.
 */
export async function listActivity(
  sql: Sql,
  orgId: string,
  agentId: string | null,
  { from, firstRunId }: { from: string; firstRunId: string },
): Promise<Activity[]> {
  return sql<Activity[]>`
    select a.id as "agentId", newest.created_at as "lastRunAt", recent.days
    from agents a
    cross join lateral (
      select r.created_at from runs r where r.org_id = ${orgId} and r.agent_id = a.id order by r.id desc limit 1
    ) newest
    cross join lateral (
      select coalesce(json_agg(json_build_object('day', day, 'succeeded', succeeded, 'failed', failed,
        'canceled', canceled, 'active', total - succeeded - failed - canceled) order by day), '[]') as days
      from (
        select (r.created_at at time zone 'UTC')::date as day, count(*) as total,
          count(*) filter (where r.status = 'succeeded') as succeeded,
          count(*) filter (where r.status = 'failed') as failed,
          count(*) filter (where r.status = 'canceled') as canceled
        from runs r
        where r.org_id = ${orgId} and r.agent_id = a.id and r.id >= ${firstRunId}
          and r.created_at >= ${from}::date::timestamp at time zone 'UTC'
        group by 1
      ) counted
    ) recent
    where a.org_id = ${orgId} and ${agentId === null ? sql`a.archived_at is null` : sql`a.id = ${agentId}`}
    order by a.id`
}
