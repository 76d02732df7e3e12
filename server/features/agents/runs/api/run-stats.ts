import type { agentRuns } from '../../../../../contract/agents/agent-runs.ts'
import { RUNS_COUNTED_MAX, STATS_HOURS_MAX } from '../../../../../contract/agents/run-figures.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Caller, Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { badField } from '../../../../errors.ts'
import { isProjectVisible } from '../../../projects/access/access.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The same hours of the day before are for comparison. */
export async function readStats(ctx: Context, input: InputOf<typeof agentRuns.stats>) {
  const now = ctx.now()
  const since = new Date(input.since ?? now.getTime() - DAY_MS)
  if (now.getTime() - since.getTime() > STATS_HOURS_MAX * HOUR_MS)
    throw badField('query.since', `must be at most ${STATS_HOURS_MAX} hours ago`)
  const dayBefore = (time: Date) => new Date(time.getTime() - DAY_MS)
  const [rows, earlier] = await Promise.all([
    listFigures(ctx.sql, ctx.caller, since, now),
    listFigures(ctx.sql, ctx.caller, dayBefore(since), dayBefore(now)),
  ])
  const { hour: _hour, read, cost, ...total } = totalOf(rows)
  const before = totalOf(earlier)
  return {
    since: since.toISOString(),
    isPartial: read > RUNS_COUNTED_MAX,
    ...total,
    cost: { amount: cost, currency: 'USD' as const },
    runsBefore: before.read > RUNS_COUNTED_MAX ? null : before.runs,
    hours: rows.flatMap(({ hour, read: _read, active: _active, p95Ms: _p95, cost: amount, ...figures }) =>
      hour === null
        ? []
        : [
            {
              at: new Date(since.getTime() + hour * HOUR_MS).toISOString(),
              ...figures,
              cost: { amount, currency: 'USD' as const },
            },
          ],
    ),
  }
}

interface FiguresRow {
  /** After `since`; null for all of them. */
  hour: number | null
  read: number
  runs: number
  succeeded: number
  failed: number
  active: number
  medianMs: number | null
  p95Ms: number | null
  cost: string
}

const NONE: FiguresRow = {
  ...{ hour: null, read: 0, runs: 0, succeeded: 0, failed: 0, active: 0 },
  ...{ medianMs: null, p95Ms: null, cost: '0.000000' },
}

const totalOf = (rows: readonly FiguresRow[]) => rows.find(({ hour }) => hour === null) ?? NONE

/**
 * Reads the newest runs in the range, up to a limit, from their index, and checks the access to each project once
 * rather than for each run.
 */
const listFigures = (sql: Sql, caller: Caller, since: Date, until: Date) => sql<FiguresRow[]>`
  with recent as materialized (
    select r.project_id, r.status, r.cost, floor(extract(epoch from r.created_at - ${since}::timestamptz) / 3600)::int as hour,
      case when r.finished_at is not null then extract(epoch from r.finished_at - r.started_at) * 1000 end as ms
    from runs r
    where r.org_id = ${caller.orgId} and r.agent_id is not null and r.created_at >= ${since} and r.created_at < ${until}
    order by r.created_at desc, r.id desc limit ${RUNS_COUNTED_MAX + 1}
  ), numbered as (
    select *, row_number() over (partition by project_id) as n from recent
  ), judged as (
    select *, bool_or(n = 1 and ${isProjectVisible(sql, caller, sql`numbered.project_id`)}) over (partition by project_id) as is_visible
    from numbered
  )
  select hour, (select count(*)::int from recent) as read, count(*)::int as runs,
    count(*) filter (where status = 'succeeded')::int as succeeded, count(*) filter (where status = 'failed')::int as failed,
    count(*) filter (where status in ('queued', 'running', 'waiting'))::int as active,
    round(percentile_cont(0.5) within group (order by ms))::float8 as "medianMs",
    round(percentile_cont(0.95) within group (order by ms))::float8 as "p95Ms",
    coalesce(sum(cost), 0)::numeric(20, 6) as cost
  from judged where is_visible
  group by grouping sets ((), (hour)) order by hour`
