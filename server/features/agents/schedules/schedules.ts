import { schedules as endpoints } from '../../../../contract/agents/schedules.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { handle } from '../../../endpoint/route.ts'
import { emptyProject, type Feature, type WorkerRuntime } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import { waitingIn } from '../../../jobs/claim-fairly.ts'
import { startOrganizationLoop } from '../../../jobs/organization-loop.ts'
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
  deleteProjectSchedules,
  findSchedule,
  recordManualRun,
  SCHEDULES_CHANNEL,
  SCHEDULES_QUEUE,
} from './queries.ts'

const CONCURRENCY_MAX = 4
const LEASE_MS = 60_000

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
  fills: [fill(emptyProject, ({ sql }, { orgId, id }) => deleteProjectSchedules(sql, orgId, id))],
})

const runNow = (models: ModelChoices, ctx: Context<'quotas'>, { id }: InputOf<typeof endpoints.run>) =>
  ctx.transaction(async (inside) => {
    const schedule = await findSchedule(inside, id, 'edit')
    const runId = await startScheduled(models, inside, schedule)
    await recordManualRun(inside.sql, schedule.orgId, id, runId, ctx.now())
    return { run: await presentAgentRun(inside, runId) }
  })

const startScheduleWorker = (models: Models, runtime: WorkerRuntime) =>
  startOrganizationLoop<DueSchedule>(runtime, {
    name: 'schedules',
    channel: SCHEDULES_CHANNEL,
    waiting: waitingIn(SCHEDULES_QUEUE),
    concurrency: CONCURRENCY_MAX,
    perOrganization: CONCURRENCY_MAX,
    leaseMs: LEASE_MS,
    claim: (request) => claimSchedules(runtime.pool, request),
    run: (due) => fire(models, runtime.context(), due),
  })
