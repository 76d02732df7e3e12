import { type Context, createContext, type JobContext } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import type { Models } from '../../../language-models/models.ts'
import { type DueSchedule, isRunActive, type Outcome, recordOutcome } from './claim-queries.ts'
import { timeAfter } from './cron.ts'
import { readRights } from './obstacles.ts'
import { pause } from './pause.ts'
import { lockSchedule } from './queries.ts'
import type { ScheduleRow } from './records.ts'
import { startScheduled } from './start-scheduled.ts'

const STILL_ACTIVE = 'The previous run is still active'

/**
 * Starts the run of a claimed schedule and plans the next run in one transaction: after a crash before the commit, the
 * schedule is due again; after the commit, the run exists once. A worker whose lease another worker has replaced does
 * nothing.
 */
export async function fire(models: Models, ctx: JobContext, due: DueSchedule): Promise<void> {
  const choices = await models.choices(due.orgId)
  try {
    await withLeasedSchedule(ctx, due, async (inside, schedule) => {
      const rights = await readRights(inside.sql, due.orgId, schedule)
      if (rights.obstacle !== null) return pause(inside, schedule, rights.obstacle)
      if (await isRunActive(inside.sql, due.orgId, schedule.lastRunId))
        return recordAndPlan(inside, schedule, { outcome: 'skipped', error: STILL_ACTIVE })
      const acting: Context = createContext({ ...inside, caller: rights.caller })
      const runId = await startScheduled(choices, acting, schedule)
      await recordAndPlan(inside, schedule, { outcome: 'started', runId })
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const outcome = isActive(error) ? 'skipped' : 'failed'
    await withLeasedSchedule(ctx, due, (inside, schedule) =>
      recordAndPlan(inside, schedule, { outcome, error: error.message }),
    )
  }
}

const withLeasedSchedule = (
  ctx: JobContext,
  { orgId, id, lease }: DueSchedule,
  work: (inside: JobContext, schedule: ScheduleRow) => Promise<unknown>,
) =>
  ctx.transaction(async (inside) => {
    const schedule = await lockSchedule(inside.sql, orgId, id)
    if (schedule?.lease === lease) await work(inside, schedule)
  })

/** A block has one run at a time. */
const isActive = ({ details }: ApiError) =>
  details !== undefined && 'reason' in details && details.reason === 'run_active'

const recordAndPlan = (ctx: JobContext, schedule: ScheduleRow, outcome: Outcome) =>
  recordOutcome(ctx.sql, schedule, outcome, timeAfter(schedule, ctx.now()), ctx.now())
