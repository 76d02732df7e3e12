import { EVENT_DAYS } from '../../../../../contract/organizations/settings-options.ts'
import type { JobContext } from '../../../../context.ts'
import { inBatch, inBatches } from '../../../../database/delete-batch.ts'
import {
  firstIdAt,
  listTimePartitions,
  retirePartition,
  type TimePartition,
} from '../../../../database/time-partitions.ts'
import { deleteCallsOfRunsSql } from '../../../connections/connections/connections.ts'
import { listOpenApprovals, settleApproval } from '../approvals/decide.ts'
import { resumeWithConnection } from '../state/resume.ts'
import { lockRun } from '../state/run-row.ts'
import { resumeAfterAgentChange } from '../usage/budget-waits.ts'

const EXPIRED_MAX = 200
const RUNS_MAX = 500
const ROWS_MAX = 10_000
const DAY_MS = 86_400_000
/** Runs that started and ended on the day are then past the default retention. */
const DROPPED_AFTER_MS = (EVENT_DAYS.default + 1) * DAY_MS

/** Also hides events in a day about to be dropped, by marking them. */
export async function sweepRuns(ctx: JobContext<'suspensions'>): Promise<void> {
  await expireApprovals(ctx)
  await resumeAfterAgentChange(ctx)
  await resumeWithConnection(ctx)
  const before = new Date(ctx.now().getTime() - EVENT_DAYS.min * DAY_MS)
  const days = await listTimePartitions(ctx.sql, 'run_events')
  const oldest = days.find((day) => day.from && !isPastRetention(day, ctx.now()))
  /** Runs with an earlier id lose their events here. `dropRunEvents` drops the others by day. */
  const firstId = oldest?.from ? firstIdAt(oldest.from) : null
  await ctx.sql`
    with expired as (
      select r.org_id, r.id, kept.days from runs r left join org_settings o on o.org_id = r.org_id
      cross join lateral (
        select coalesce((o.settings ->> 'runEventDays')::int, ${EVENT_DAYS.default}::int) as days
      ) kept
      where r.agent_id is not null and r.finished_at < ${before} and r.events_deleted_at is null
        and r.finished_at < ${ctx.now()}::timestamptz - make_interval(days => kept.days)
      order by r.finished_at limit ${RUNS_MAX}
    ), deleted as (
      delete from run_events e using expired x where e.org_id = x.org_id and e.run_id = x.id
        and (x.days < ${EVENT_DAYS.default} or ${firstId}::uuid is null or x.id < ${firstId}::uuid)
    ), deleted_calls as (
      ${deleteCallsOfRunsSql(ctx.sql, ctx.sql`expired`)}
    )
    update runs r set events_deleted_at = ${ctx.now()} from expired x where r.org_id = x.org_id and r.id = x.id`
}

/** Events with a longer retention move to another partition. */
export async function dropRunEvents({ sql, now }: Pick<JobContext, 'sql' | 'now'>): Promise<void> {
  for (const partition of await listTimePartitions(sql, 'run_events')) {
    if (!isPastRetention(partition, now())) break
    const outcome = await retirePartition(sql, partition, {
      keptRows: (inside) => inside`
        select e.* from runs r join ${inside(partition.name)} e on e.org_id = r.org_id and e.run_id = r.id
        where r.events_deleted_at is null and r.agent_id is not null and r.id < ${firstIdAt(partition.to)}
          and r.id >= ${firstIdAt(partition.from ?? new Date(0))}`,
    })
    // `many`: too many events must stay, so expired ones are deleted in batches.
    if (outcome !== 'many') continue
    const name = sql(partition.name)
    const expired = sql`
      ${name} t join runs r on r.org_id = t.org_id and r.id = t.run_id where r.events_deleted_at is not null`
    await inBatches(ROWS_MAX, () => sql`delete from ${name} where ${inBatch(sql, expired, ROWS_MAX)}`)
  }
}

const isPastRetention = ({ to }: TimePartition, now: Date) => to.getTime() + DROPPED_AFTER_MS <= now.getTime()

async function expireApprovals(ctx: JobContext<'suspensions'>): Promise<void> {
  const expired = await ctx.sql<{ orgId: string; runId: string; id: string }[]>`
    select org_id as "orgId", run_id as "runId", id from approvals
    where decision is null and expires_at <= ${ctx.now()} and org_id <> all(${ctx.suspensions.list()}::uuid[])
    order by expires_at limit ${EXPIRED_MAX}`
  for (const { orgId, runId, id } of expired)
    await ctx.transaction(async ({ sql }) => {
      const run = await lockRun(sql, orgId, runId)
      const approval = run && (await listOpenApprovals(sql, run)).find((open) => open.id === id)
      if (approval)
        await settleApproval(sql, run, approval, { decision: 'expired', by: null, note: null }, ctx.now())
    })
}
