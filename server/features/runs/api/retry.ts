import type { agentRuns } from '../../../../contract/agents/agent-runs.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { conflict, notFound, raise } from '../../../errors.ts'
import { findVersion } from '../../agents/agents.ts'
import { assignRun, lockSession } from '../../sessions/sessions.ts'
import { startAgentRun } from '../engine/start-run.ts'
import { presentAgentRun } from './present.ts'
import { findAgentRun } from './run-queries.ts'

/** Asks the agent again, with the conversation as it is, in the version with which the run started. */
export const retryRun = (ctx: Context, { id }: InputOf<typeof agentRuns.retry>) =>
  ctx.transaction(async (inside) => {
    const run = await findAgentRun(inside, id, 'edit')
    if (run.status !== 'failed' && run.status !== 'canceled')
      throw conflict('Only a run that failed or was canceled can be retried')
    if ((await lockSession(inside.sql, run.orgId, run.sessionId)) !== null)
      throw conflict('Another run of this session is active: wait for its end, or cancel it')
    const settings =
      (await findVersion(inside.sql, run.orgId, run.agentId, run.agentVersion)) ?? raise(notFound('Agent'))
    const { id: runId } = await startAgentRun(inside, {
      projectId: run.projectId,
      sessionId: run.sessionId,
      agent: { ...settings, id: run.agentId, version: run.agentVersion, model: settings.model ?? run.model },
      trigger: run.blockId === null ? 'message' : 'block',
      trust: run.trust,
      title: '',
      ...(run.blockId !== null && { blockId: run.blockId }),
    })
    await assignRun(inside.sql, run.orgId, run.sessionId, runId, '')
    return presentAgentRun(inside, runId)
  })
