import type { Context } from '../../../context.ts'
import { notFound, raise } from '../../../errors.ts'
import { publish } from '../../../events/publish.ts'
import type { ModelChoices } from '../../../language-models/models.ts'
import { newId } from '../../../security/ids.ts'
import { startBlock } from '../../canvas/agent-blocks/agent-blocks.ts'
import { assignRun, insertMessage, insertSession } from '../conversations/conversations.ts'
import { requireRunnableAgent, startAgentRun } from '../runs/runs.ts'
import type { ScheduleRow } from './records.ts'

/** Starts a run of a schedule with the rights of the caller, on the transaction of the caller; returns its id. */
export async function startScheduled(
  models: ModelChoices,
  ctx: Context,
  schedule: ScheduleRow,
): Promise<string> {
  const { projectId, blockId, id: scheduleId } = schedule
  if (blockId === null) return startWithMessage(models, ctx, schedule)
  return startBlock(models, ctx, { projectId, blockId, downstream: true, scheduleId })
}

/**
 * Every run has a session of its own: content from outside in an earlier run would lower the trust of all later ones,
 * and their context would grow without an end.
 */
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
