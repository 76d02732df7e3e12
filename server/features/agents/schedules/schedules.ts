import { schedules as endpoints } from '../../../../contract/agents/schedules.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { handle } from '../../../endpoint/route.ts'
import { emptyProject, type Feature, type WorkerRuntime } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import { startLeaseLoop } from '../../../jobs/lease-loop.ts'
import type { ModelChoices, Models } from '../../../language-models/models.ts'
import { presentAgentRun, readChoices, type WithChoices } from '../runs/runs.ts'
import { fire, startScheduled } from './fire.ts'
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  previewTimes,
  updateSchedule,
} from './manage.ts'
import {
  claimSchedules,
  type DueSchedule,
  deleteSchedulesOf,
  findSchedule,
  recordManualRun,
} from './queries.ts'

const CHANNEL = 'atrium_schedules'
const POLL_MS = 1000
const CONCURRENCY_MAX = 4

/** Starts agents on cron schedules. */
export const schedules = ({ models }: { models: Models }): Feature => ({
  routes: [
    handle(endpoints.list, listSchedules),
    handle(endpoints.preview, previewTimes),
    handle(endpoints.create, createSchedule),
    handle(endpoints.get, getSchedule),
    handle(endpoints.update, updateSchedule),
    handle(endpoints.remove, deleteSchedule),
    handle(
      endpoints.run,
      (ctx, { choices, id }: WithChoices<typeof endpoints.run>) => runNow(choices, ctx, { id }),
      readChoices(models),
    ),
  ],
  start: (runtime) => startScheduleWorker(models, runtime),
  fills: [fill(emptyProject, ({ sql }, { orgId, id }) => deleteSchedulesOf(sql, orgId, id))],
})

const runNow = (models: ModelChoices, ctx: Context<'quotas'>, { id }: InputOf<typeof endpoints.run>) =>
  ctx.transaction(async (inside) => {
    const schedule = await findSchedule(inside, id, 'edit')
    const runId = await startScheduled(models, inside, schedule)
    await recordManualRun(inside.sql, schedule.orgId, id, runId, ctx.now())
    return { run: await presentAgentRun(inside, runId) }
  })

const startScheduleWorker = (models: Models, { pool, context, clock, suspensions, log }: WorkerRuntime) =>
  startLeaseLoop<DueSchedule>({
    name: 'schedules',
    pool,
    log,
    clock,
    suspensions,
    channel: CHANNEL,
    pollMs: POLL_MS,
    concurrency: CONCURRENCY_MAX,
    claimMax: CONCURRENCY_MAX,
    keyOf: ({ orgId }) => orgId,
    claim: ({ limit, suspended }) => claimSchedules(pool, { limit, suspended, now: context().now() }),
    run: (due) => fire(models, context(), due),
  })
