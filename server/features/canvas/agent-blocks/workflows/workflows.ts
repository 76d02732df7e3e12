import type { Context, JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { ApiError } from '../../../../errors.ts'
import type { ModelChoices } from '../../../../language-models/models.ts'
import { newId } from '../../../../security/ids.ts'
import { deriveTitle } from '../../../agents/chat/chat.ts'
import { insertSession } from '../../../agents/conversations/conversations.ts'
import { moveChildren, requireRunnableAgent, startAgentRun } from '../../../agents/runs/runs.ts'
import { findProject, type ProjectRow } from '../../../projects/projects/projects.ts'
import { composeMessage, type OutsideInput } from '../compose-message.ts'
import { alreadyRunning, findBlockAgent } from '../start-run.ts'
import { readSteps } from '../steps.ts'
import { blockName } from './block-name.ts'
import type { Graph } from './find-graph.ts'
import { claimLists, moveLists } from './for-each/list-queries.ts'
import { moveBlocks, showStates } from './show-states.ts'
import { closeForms } from './steps/form-queries.ts'
import {
  findActiveRun,
  insertNodes,
  listNodes,
  lockStarts,
  updateNode,
  type WorkflowBlock,
  type WorkflowNode,
} from './workflow-queries.ts'

const MINUTES_MAX = 24 * 60

export async function startWorkflow(
  models: ModelChoices,
  ctx: Context<'quotas'>,
  project: ProjectRow,
  { blocks, incoming }: Graph,
  { scheduleId, outside }: { scheduleId?: string | undefined; outside?: OutsideInput | undefined } = {},
): Promise<string> {
  const nodes: WorkflowBlock[] = []
  const inside = new Set(blocks.map(({ id }) => id))
  for (const [n, block] of blocks.entries()) {
    const { instructions, inputs, outputSchema } = await composeMessage(
      ctx,
      project,
      block,
      n === 0 ? outside : undefined,
    )
    const agent = await requireRunnableAgent(ctx, models, await findBlockAgent(ctx, block))
    const edges = (incoming.get(block.id) ?? []).map(({ from, condition }) => ({
      from,
      condition,
      isInside: inside.has(from),
      isOpen: null,
    }))
    const upstream = new Set(edges.filter(({ isInside }) => isInside).map(({ from }) => from))
    nodes.push({
      blockId: block.id,
      n,
      title: block.title,
      instructions,
      outputSchema,
      agentId: agent.id,
      inputs: inputs.map((input) => (upstream.has(input.blockId) ? { ...input, text: null } : input)),
      incoming: edges.filter(({ isInside, condition }) => isInside || condition !== null),
      ...readSteps(block),
      ...NOT_STARTED,
    })
  }
  const first = blocks[0]!
  return insertWorkflow(models, ctx, project, nodes, { title: deriveTitle(blockName(first)), scheduleId })
}

export const NOT_STARTED = {
  state: 'queued',
  skipReason: null,
  childRunId: null,
  output: null,
  wakeAt: null,
  eventType: null,
  eventAfter: null,
  error: null,
} as const

export async function insertWorkflow(
  models: ModelChoices,
  ctx: Context<'quotas'>,
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

/**
 * Uses the original graph. Finished blocks keep their answers. All block runs move to the new run, so that one undo
 * reverts them all.
 */
export async function resumeWorkflow(
  models: ModelChoices,
  ctx: Context<'quotas'>,
  { id, projectId, title }: { id: string; projectId: string; title: string },
): Promise<string> {
  const { sql, caller } = ctx
  const project = await findProject(ctx, projectId, 'edit')
  const nodes = (await listNodes(sql, caller.orgId, id)).map(
    ({ childStatus, childError: _error, childTrust: _trust, ...node }): WorkflowBlock =>
      node.state === 'done' || childStatus === 'succeeded'
        ? { ...node, state: 'done', error: null }
        : { ...node, ...NOT_STARTED },
  )
  const runId = await insertWorkflow(models, ctx, project, nodes, { title })
  const earlier = await claimLists(sql, caller.orgId, id, runId)
  if (earlier !== null) throw alreadyRetried(earlier)
  await moveChildren(sql, caller.orgId, id, runId)
  await moveLists(sql, caller.orgId, id, runId)
  const done = nodes.filter(({ state }) => state === 'done').map(({ blockId }) => blockId)
  const run = { orgId: caller.orgId, id: runId, projectId: project.id, createdBy: caller.userId }
  await moveBlocks(ctx, run, { from: id, blockIds: done })
  return runId
}

const alreadyRetried = (runId: string) =>
  new ApiError('CONFLICT', 'Another run continues this run’s list: retry that one, or run the block again', {
    details: { reason: 'list_moved', runId },
  })

/** Blocks with a run of their own follow it. */
export const closeBlocks = (ctx: JobContext<'quotas'>, { orgId, runId }: { orgId: string; runId: string }) =>
  ctx.transaction(async (inside) => {
    const run = await findWorkflow(inside.sql, orgId, runId)
    if (!run || run.status === 'succeeded') return
    const nodes = (await listNodes(inside.sql, orgId, runId)).flatMap((node) => closed(node, run) ?? [])
    for (const node of nodes) await updateNode(inside.sql, orgId, runId, node)
    await closeForms(inside.sql, orgId, runId, null)
    await showStates(
      inside,
      run,
      new Map(nodes.map(({ blockId, state, error }) => [blockId, { status: state, waitsFor: null, error }])),
    )
  })

function closed(node: WorkflowNode, { status, error }: WorkflowRun): WorkflowBlock | null {
  const isCanceled = status === 'canceled'
  if (node.state === 'queued')
    return isCanceled ? { ...node, state: 'canceled' } : { ...node, state: 'skipped', skipReason: 'failure' }
  if (node.state !== 'running' || (node.forEach === null && node.step === null)) return null
  return isCanceled ? { ...node, state: 'canceled' } : { ...node, state: 'failed', error }
}

interface WorkflowRun {
  orgId: string
  id: string
  projectId: string
  createdBy: string
  status: string
  error: string | null
}

/** Returns null if the run isn't a workflow. */
async function findWorkflow(sql: Sql, orgId: string, runId: string): Promise<WorkflowRun | null> {
  const [row] = await sql<WorkflowRun[]>`
    select org_id as "orgId", id, project_id as "projectId", created_by as "createdBy", status, error from runs
    where org_id = ${orgId} and id = ${runId} and kind = 'workflow'`
  return row ?? null
}
