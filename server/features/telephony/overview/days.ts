import { z } from 'zod'
import type { Caller, JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { job } from '../../../jobs/job.ts'
import { isProjectVisible } from '../../projects/access/access.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

const LAST_DAY_HOURS = 24

const DAYS = 30
const HOURS_KEPT_DAYS = 2

export interface LastDay {
  calls: number
  missed: number
  overBudget: number
  received: number
  sent: number
  failed: number
  failedAt: string | null
}

/** Only visible projects. Bounds the time on both sides, as explained at `readDays`. */
export async function readLastDay(sql: Sql, caller: Caller, now: Date): Promise<LastDay> {
  const hour = Math.floor(now.getTime() / HOUR_MS)
  const [since, until] = [hour - LAST_DAY_HOURS + 1, hour + 1].map((each) => new Date(each * HOUR_MS))
  const [row] = await sql<[LastDay]>`
    with x as materialized (
      select project_id, sum(calls) as calls, sum(missed) as missed, sum(over_budget) as over_budget,
        sum(received) as received, sum(sent) as sent, sum(failed) as failed, max(failed_at) as failed_at
      from telephony_hours where org_id = ${caller.orgId} and hour >= ${since!} and hour < ${until!} group by project_id
    )
    select coalesce(sum(x.calls), 0)::int as calls, coalesce(sum(x.missed), 0)::int as missed,
      coalesce(sum(x.over_budget), 0)::int as "overBudget", coalesce(sum(x.received), 0)::int as received,
      coalesce(sum(x.sent), 0)::int as sent, coalesce(sum(x.failed), 0)::int as failed, max(x.failed_at) as "failedAt"
    from x where ${isProjectVisible(sql, caller, sql`x.project_id`)}`
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
 * Stored days, then later days from hours. Costs come from the ledger, on the day recorded. Bounds the time on both
 * sides: without statistics, the planner estimates a third of the table for one bound, but little for two.
 */
export const readDays = (sql: Sql, caller: Caller, first: string) => sql<Day[]>`
  with live as materialized (
    select greatest(${first}::date, (select max(day) + 1 from telephony_days where org_id = ${caller.orgId}))::timestamp
      at time zone 'UTC' as since, 'infinity'::timestamptz as until
  ), x as materialized (
    select day, project_id, calls, seconds, messages, 0::numeric as cost
    from telephony_days where org_id = ${caller.orgId} and day >= ${first}
    union all
    select (hour at time zone 'UTC')::date, project_id, sum(calls), sum(seconds), sum(received + sent), 0
    from telephony_hours where org_id = ${caller.orgId} and hour >= (select since from live)
      and hour < (select until from live)
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

export const listOrganizations = async (sql: Sql): Promise<string[]> =>
  (
    await sql<{ orgId: string }[]>`
      select org_id as "orgId" from phone_numbers union select org_id from voice_agents`
  ).map(({ orgId }) => orgId)

/**
 * A call may end on the next day, so `until` is today and the job runs hours after midnight, when yesterday's longest
 * call has ended.
 */
export const storeDays = (sql: Sql, orgId: string, first: string, until: string) => sql`
  with missing as materialized (
    select greatest(${first}::date, (select max(day) + 1 from telephony_days where org_id = ${orgId}))::timestamp
      at time zone 'UTC' as since, ${until}::date::timestamp at time zone 'UTC' as until
  )
  insert into telephony_days (org_id, day, project_id, calls, seconds, messages)
  select ${orgId}, (hour at time zone 'UTC')::date, project_id, sum(calls), sum(seconds), sum(received + sent)
  from telephony_hours where org_id = ${orgId} and hour >= (select since from missing)
    and hour < (select until from missing)
  group by 2, 3
  on conflict do nothing`

/** Only hours stored as days and not needed by `readLastDay`. */
export const deleteHours = (sql: Sql, orgId: string, before: Date) => sql`
  delete from telephony_hours where org_id = ${orgId} and hour < ${before}`

/** Runs every morning, so a month's summary reads few rows. */
export const sumDaysJob = job('telephony.sum-days', z.object({}), { lane: 'bulk' })

export async function sumDays({ sql, now }: JobContext): Promise<void> {
  const keptSince = new Date(now().getTime() - HOURS_KEPT_DAYS * DAY_MS)
  for (const orgId of await listOrganizations(sql)) {
    await storeDays(sql, orgId, firstDay(now()), dayOf(now()))
    await deleteHours(sql, orgId, keptSince)
  }
}

export const firstDay = (now: Date): string => dayOf(new Date(now.getTime() - (DAYS - 1) * DAY_MS))

const dayOf = (time: Date) => time.toISOString().slice(0, 10)
