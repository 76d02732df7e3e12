import type { agentRuns } from '../../../../../contract/agents/agent-runs.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { cursorPage, decodeCursor } from '../../../../database/cursor.ts'
import { findProject } from '../../../projects/projects/projects.ts'
import { presentRun } from './present.ts'
import { listAgentRuns } from './run-queries.ts'

export async function listAll(
  ctx: Context,
  { limit, cursor, projectId, ...filter }: InputOf<typeof agentRuns.list>,
) {
  const { orgId, userId } = ctx.caller
  const project = projectId === undefined ? undefined : (await findProject(ctx, projectId)).id
  const list = `agent runs ${orgId} ${userId} ${JSON.stringify({ project, ...filter })}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await listAgentRuns(
    ctx.sql,
    ctx.caller,
    { projectId: project, ...filter },
    { before, limit: limit + 1 },
  )
  return cursorPage(ctx.vault, list, limit, rows, presentRun)
}
