import { type Context, createContext, type JobContext } from '../../../context.ts'
import { ApiError, notFound, raise } from '../../../errors.ts'
import { publish } from '../../../events/publish.ts'
import type { ModelChoices, Models } from '../../../language-models/models.ts'
import { newId } from '../../../security/ids.ts'
import { startBlock } from '../../canvas/agent-blocks/agent-blocks.ts'
import { assignRun, insertMessage, insertSession } from '../conversations/conversations.ts'
import { requireRunnableAgent, startAgentRun } from '../runs/runs.ts'
import { timeAfter } from './cron.ts'
import { pause } from './manage.ts'
import { readRights } from './obstacles.ts'
import { type DueSchedule, isRunActive, lockSchedule, type Outcome, recordOutcome } from './queries.ts'
import type { ScheduleRow } from './records.ts'

const STILL_ACTIVE = 'The previous run is still active'

/**
 * One transaction: after a crash, the schedule is due again or its run exists once. Does nothing if another worker has
 * taken the lease.
 */
export async function fire(
  models: Models,
  ctx: JobContext<'mail' | 'quotas' | 'vault'>,
  due: DueSchedule,
): Promise<void> {
  const choices = await models.choices(due.orgId)
  try {
    await withLeasedSchedule(ctx, due, async (inside, schedule) => {
      const rights = await readRights(inside.sql, due.orgId, schedule)
      if (rights.obstacle !== null) return pause(inside, schedule, rights.obstacle)
      if (await isRunActive(inside.sql, due.orgId, schedule.lastRunId))
        return recordAndPlan(inside, schedule, { outcome: 'skipped', error: STILL_ACTIVE })
      const acting: Context<'quotas'> = createContext({ ...inside, caller: rights.caller })
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
  ctx: JobContext<'mail' | 'quotas' | 'vault'>,
  { orgId, id, lease }: DueSchedule,
  work: (inside: JobContext<'mail' | 'quotas' | 'vault'>, schedule: ScheduleRow) => Promise<unknown>,
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

/** Uses the caller's permissions and transaction. */
export async function startScheduled(
  models: ModelChoices,
  ctx: Context<'quotas'>,
  schedule: ScheduleRow,
): Promise<string> {
  const { projectId, blockId, id: scheduleId } = schedule
  if (blockId === null) return startWithMessage(models, ctx, schedule)
  return startBlock(models, ctx, { projectId, blockId, downstream: true, scheduleId })
}

/** Own session: untrusted content would lower all later runs' trust, and the context would grow forever. */
async function startWithMessage(models: ModelChoices, ctx: Context, schedule: ScheduleRow): Promise<string> {
  const { sql, caller } = ctx
  const { orgId, userId } = caller
  const { id: scheduleId, projectId, name } = schedule
  const [message, agentId, now, sessionId] = [schedule.message!, schedule.agentId!, ctx.now(), newId()]
  const agent = await requireRunnableAgent(ctx, models, agentId)
  await insertSession(sql, orgId, {
    id: sessionId,
    projectId,
    agentId,
    title: name,
    origin: 'api',
    createdBy: userId,
    now,
  })
  await publish(ctx, { type: 'session.created', data: { sessionId, projectId, agentId, by: userId } })
  const run = await startAgentRun(ctx, {
    projectId,
    sessionId,
    agent,
    trigger: 'schedule',
    trust: 'trusted',
    title: name,
    scheduleId,
  })
  await assignRun(sql, orgId, sessionId, run.id, name)
  const stored = await insertMessage(
    sql,
    orgId,
    sessionId,
    {
      id: newId(),
      role: 'user',
      runId: run.id,
      step: null,
      authorId: userId,
      content: [{ type: 'text', text: message }],
      body: message,
      trust: 'trusted',
      state: 'sent',
    },
    now,
  )
  const { id: messageId } = stored ?? raise(notFound('Session'))
  await publish(ctx, {
    type: 'session.message.created',
    data: { sessionId, projectId, messageId, by: userId },
  })
  return run.id
}
