import { isDeepStrictEqual } from 'node:util'
import type { agentRuns } from '../../../../../contract/agents/agent-runs.ts'
import type { OutputSchema } from '../../../../../contract/agents/output-rules.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { conflict } from '../../../../errors.ts'
import type { ModelChoices } from '../../../../language-models/models.ts'
import { findVersion } from '../../agents/agents.ts'
import { assignRun, findSession, lockSession, requireOpen } from '../../conversations/conversations.ts'
import { workflowSteps } from '../hooks.ts'
import { requireRunnableAgent } from '../state/runnable-agent.ts'
import { startAgentRun } from '../state/start-run.ts'
import { findAgentRun, findLatestRun, findOutput, presentAgentRun, type RunView } from './run-queries.ts'

/**
 * Uses the current conversation and agent, because the setting that made a run fail has often been corrected. Begins
 * with the agent's own model, not the last fallback.
 */
export const retryRun = (
  models: ModelChoices,
  ctx: Context<'hooks' | 'quotas'>,
  { id }: InputOf<typeof agentRuns.retry>,
) =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const run = await findAgentRun(inside, id, 'edit')
    if (run.status !== 'failed' && run.status !== 'canceled')
      throw conflict('Only a run that failed or was canceled can be retried')
    if (run.kind === 'workflow')
      return presentAgentRun(inside, await inside.hooks.one(workflowSteps).resume(models, inside, run))
    const { orgId, sessionId, projectId } = run
    const session = await findSession(inside, sessionId, 'edit')
    requireOpen(session)
    if ((await lockSession(sql, orgId, sessionId)) !== null)
      throw conflict('Another run in this session is active: wait for it to finish, or cancel it')
    const latest = await findLatestRun(sql, orgId, sessionId)
    if (latest.id !== id)
      throw conflict('The session has a newer run: send a message, or branch the session before this run')
    const { id: runId } = await startAgentRun(inside, {
      projectId,
      sessionId,
      agent: await requireRunnableAgent(inside, models, session.agentId, session.model),
      trigger: run.blockId === null ? 'message' : 'block',
      trust: 'trusted',
      title: latest.title,
      ...(run.blockId !== null && { blockId: run.blockId }),
      outputSchema: await findOwnSchema(sql, run),
    })
    await assignRun(sql, orgId, sessionId, runId, latest.title)
    return presentAgentRun(inside, runId)
  })

/** The message's or block's. The agent's may have been corrected since. */
async function findOwnSchema(
  sql: Sql,
  { orgId, id, agentId, agentVersion }: RunView,
): Promise<OutputSchema | null> {
  const [{ outputSchema }, version] = await Promise.all([
    findOutput(sql, orgId, id),
    findVersion(sql, orgId, agentId, agentVersion),
  ])
  return isDeepStrictEqual(outputSchema, version?.outputSchema) ? null : outputSchema
}
