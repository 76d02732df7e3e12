import type { Context } from '../../../../context.ts'
import type { ModelChoices } from '../../../../language-models/models.ts'
import { newId } from '../../../../security/ids.ts'
import { titleOf } from '../../../agents/chat/chat.ts'
import { insertSession } from '../../../agents/conversations/conversations.ts'
import { requireRunnableAgent, startAgentRun } from '../../../agents/runs/runs.ts'
import type { ProjectRow } from '../../../projects/projects/projects.ts'
import { agentOf } from '../agent-of.ts'
import { composeMessage, type OutsideInput } from '../compose-message.ts'
import { alreadyRunning } from '../start-run.ts'
import { type Graph, nameOf } from './find-graph.ts'
import { showStates } from './show-states.ts'
import { findActiveRun, insertNodes, lockStarts, type WorkflowBlock } from './workflow-queries.ts'

const MINUTES_MAX = 24 * 60

/** Starts the workflow of a graph, as the graph is now; returns the id of its run. */
export async function startWorkflow(
  models: ModelChoices,
  ctx: Context,
  project: ProjectRow,
  { blocks, after }: Graph,
  { scheduleId, outside }: { scheduleId?: string | undefined; outside?: OutsideInput | undefined } = {},
): Promise<string> {
  const nodes: WorkflowBlock[] = []
  for (const [n, block] of blocks.entries()) {
    const { instructions, inputs } = await composeMessage(ctx, project, block, n === 0 ? outside : undefined)
    const agent = await requireRunnableAgent(ctx, models, await agentOf(ctx, block))
    const upstream = new Set(after.get(block.id))
    nodes.push({
      blockId: block.id,
      n,
      title: block.title,
      instructions,
      agentId: agent.id,
      inputs: inputs.map((input) => (upstream.has(input.blockId) ? { ...input, text: null } : input)),
      state: 'queued',
      childRunId: null,
      error: null,
    })
  }
  const first = blocks[0]!
  return insertWorkflow(models, ctx, project, nodes, { title: titleOf(nameOf(first)), scheduleId })
}

/** Stores a workflow, whose first step is due immediately, and marks its blocks. */
export async function insertWorkflow(
  models: ModelChoices,
  ctx: Context,
  project: ProjectRow,
  nodes: readonly WorkflowBlock[],
  { title, scheduleId }: { title: string; scheduleId?: string | undefined },
): Promise<string> {
  const { sql, caller } = ctx
  const { orgId, id: projectId } = project
  await lockStarts(sql, orgId, projectId)
  const active = await findActiveRun(
    sql,
    orgId,
    projectId,
    nodes.map(({ blockId }) => blockId),
  )
  if (active) throw alreadyRunning(active)
  const [id, sessionId] = [newId(), newId()]
  const agent = await requireRunnableAgent(ctx, models, nodes[0]!.agentId)
  await insertSession(sql, orgId, {
    id: sessionId,
    projectId,
    agentId: agent.id,
    title,
    origin: 'api',
    parentRunId: id,
    createdBy: caller.userId,
    now: ctx.now(),
  })
  const run = await startAgentRun(ctx, {
    id,
    kind: 'workflow',
    projectId,
    sessionId,
    agent: { ...agent, maxMinutes: MINUTES_MAX },
    trigger: scheduleId ? 'schedule' : 'block',
    trust: 'trusted',
    title,
    scheduleId,
  })
  await insertNodes(sql, orgId, id, nodes)
  const queued = nodes.filter(({ state }) => state === 'queued')
  await showStates(ctx, run, new Map(queued.map(({ blockId }) => [blockId, { status: 'queued' as const }])))
  return id
}
