import type { Caller } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { isProjectVisible } from '../../project-access/project-access.ts'

const DAY_MS = 86_400_000

export interface LastDay {
  calls: number
  missed: number
  /** Ended because of a budget. */
  overBudget: number
  received: number
  sent: number
  failed: number
  failedAt: string | null
}

/** Of the projects that the caller sees. Rows are counted by project first: few projects have telephony. */
export async function readLastDay(sql: Sql, caller: Caller, now: Date): Promise<LastDay> {
  const since = new Date(now.getTime() - DAY_MS)
  const until = new Date(now.getTime() + DAY_MS)
  const [row] = await sql<[LastDay]>`
    with spoken as materialized (
      select project_id, count(*) as calls, count(*) filter (where end_reason = 'budget') as budget,
        count(*) filter (
          where direction = 'inbound' and answered_at is null and ended_at is not null and status <> 'rejected') as missed
      from calls where org_id = ${caller.orgId} and started_at >= ${since} and started_at < ${until} group by project_id
    ), written as materialized (
      select project_id, count(*) filter (where direction = 'inbound') as received,
        count(*) filter (where direction = 'outbound') as sent,
        count(*) filter (where status in ('failed', 'undelivered')) as failed,
        max(created_at) filter (where status in ('failed', 'undelivered')) as failed_at
      from sms_messages where org_id = ${caller.orgId} and created_at >= ${since} and created_at < ${until}
      group by project_id
    )
    select coalesce(sum(x.calls), 0)::int as calls, coalesce(sum(x.missed), 0)::int as missed,
      coalesce(sum(x.budget), 0)::int as "overBudget", coalesce(sum(x.received), 0)::int as received,
      coalesce(sum(x.sent), 0)::int as sent, coalesce(sum(x.failed), 0)::int as failed, max(x.failed_at) as "failedAt"
    from (spoken full join written using (project_id)) x where ${isProjectVisible(sql, caller, sql`x.project_id`)}`
  return row
}

export interface Day {
  date: string
  calls: number
  minutes: number
  messages: number
  cost: string
}

/**
 * Sums by day from `first` on, of the projects that the caller sees: those that are stored, and calls and messages of the
 * days after them. Costs are those of the ledger, on the day on which they were recorded. Both ends of the time are given,
 * because without statistics of an end the planner takes one bound for a third of the table, and two for a small part.
 */
export const readDays = (sql: Sql, caller: Caller, first: string) => sql<Day[]>`
  with live as materialized (
    select greatest(${first}::date, (select max(day) + 1 from telephony_days where org_id = ${caller.orgId}))::timestamp
      at time zone 'UTC' as since, 'infinity'::timestamptz as until
  ), x as materialized (
    select day, project_id, calls, seconds, messages, 0::numeric as cost
    from telephony_days where org_id = ${caller.orgId} and day >= ${first}
    union all
    select (started_at at time zone 'UTC')::date, project_id, count(*), coalesce(sum(duration_seconds), 0), 0, 0
    from calls where org_id = ${caller.orgId} and started_at >= (select since from live)
      and started_at < (select until from live)
    group by 1, 2
    union all
    select (created_at at time zone 'UTC')::date, project_id, 0, 0, count(*), 0
    from sms_messages
    where org_id = ${caller.orgId} and created_at >= (select since from live)
      and created_at < (select until from live)
    group by 1, 2
    union all
    select day, project_id, 0, 0, 0, sum(cost) from usage_days
    where org_id = ${caller.orgId} and day >= ${first} and kind in ('call', 'sms') group by 1, 2
  ), visible as materialized (
    select d.project_id from (select distinct project_id from x) d where ${isProjectVisible(sql, caller, sql`d.project_id`)}
  )
  select x.day::text as date, sum(x.calls)::int as calls, ceil(sum(x.seconds) / 60.0)::int as minutes,
    sum(x.messages)::int as messages, sum(x.cost)::numeric(20, 6)::text as cost
  from x join visible using (project_id) group by x.day order by x.day`

/** Organizations that have, or had, calls and messages. */
export const listOrganizations = async (sql: Sql): Promise<string[]> =>
  (
    await sql<{ orgId: string }[]>`
      select org_id as "orgId" from phone_numbers union select org_id from voice_agents`
  ).map(({ orgId }) => orgId)

/**
 * Stores the sums of the days before `until`, from the day after the last stored one. A call and its end may be on two days:
 * `until` is today, hours after midnight, when the longest call of yesterday has ended.
 */
export const storeDays = (sql: Sql, orgId: string, first: string, until: string) => sql`
  with missing as materialized (
    select greatest(${first}::date, (select max(day) + 1 from telephony_days where org_id = ${orgId}))::timestamp
      at time zone 'UTC' as since, ${until}::date::timestamp at time zone 'UTC' as until
  )
  insert into telephony_days (org_id, day, project_id, calls, seconds, messages)
  select ${orgId}, day, project_id, sum(calls), sum(seconds), sum(messages) from (
    select (started_at at time zone 'UTC')::date as day, project_id, count(*) as calls,
      coalesce(sum(duration_seconds), 0) as seconds, 0 as messages
    from calls where org_id = ${orgId} and started_at >= (select since from missing)
      and started_at < (select until from missing) group by 1, 2
    union all
    select (created_at at time zone 'UTC')::date, project_id, 0, 0, count(*)
    from sms_messages where org_id = ${orgId} and created_at >= (select since from missing)
      and created_at < (select until from missing) group by 1, 2
  ) x group by day, project_id
  on conflict do nothing`
