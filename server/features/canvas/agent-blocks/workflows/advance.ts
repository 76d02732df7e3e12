import { type Context, createContext, type JobContext } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import type { ModelChoices, Models } from '../../../../language-models/models.ts'
import {
  accessLost,
  append,
  type EngineRun,
  endRun,
  findResultText,
  findRunCaller,
  type StepEnd,
  wait,
} from '../../../agents/runs/runs.ts'
import { findProject } from '../../../projects/projects/projects.ts'
import { startRun } from '../start-run.ts'
import { blockName } from './find-graph.ts'
import { planNext } from './graph.ts'
import { showStates } from './show-states.ts'
import { listNodes, updateNode, type WorkflowNode } from './workflow-queries.ts'

type ShownState = Parameters<typeof showStates>[2] extends ReadonlyMap<string, infer S> ? S : never

/**
 * Records ended runs, starts blocks with complete inputs, then waits or ends. One transaction, so a crash leaves all or
 * nothing.
 */
export async function advanceWorkflow(
  models: Models,
  ctx: JobContext<'quotas'>,
  run: EngineRun,
): Promise<StepEnd> {
  const choices = await models.choices(run.orgId)
  return ctx.transaction(async (inside) => {
    const { sql } = inside
    const now = ctx.now()
    const { isCancelRequested } = await append(sql, run, [], now)
    if (isCancelRequested) return 'next'
    const nodes = (await listNodes(sql, run.orgId, run.id)).map(withEnd)
    const callerCtx = await contextOf(inside, run)
    const shownStates = new Map<string, ShownState>()
    let actions = planNext(nodes.map(toPlannedNode))
    while (actions.start.length + actions.skip.length > 0) {
      for (const blockId of actions.skip) {
        Object.assign(find(nodes, blockId), { state: 'skipped' })
        shownStates.set(blockId, { status: 'skipped' })
      }
      for (const blockId of actions.start)
        shownStates.set(blockId, await startNode(choices, callerCtx, run, find(nodes, blockId), nodes))
      actions = planNext(nodes.map(toPlannedNode))
    }
    for (const node of nodes) await updateNode(sql, run.orgId, run.id, node)
    await showStates(inside, run, shownStates)
    if (actions.end === null) return wait(inside, run, 'child')
    return endRun(sql, run, actions.end === 'failed' ? failureOf(nodes) : { status: 'succeeded' }, [], now)
  })
}

const find = (nodes: readonly WorkflowNode[], id: string) => nodes.find(({ blockId }) => blockId === id)!

const ENDS = { succeeded: 'done', failed: 'failed', canceled: 'canceled' } as const

function withEnd(node: WorkflowNode): WorkflowNode {
  const { state, childStatus, childError } = node
  if (state !== 'running' || childStatus === null || !(childStatus in ENDS)) return node
  return { ...node, state: ENDS[childStatus as keyof typeof ENDS], error: childError }
}

const toPlannedNode = ({ blockId, state, inputs }: WorkflowNode) => ({
  blockId,
  state,
  after: inputs.filter(({ text }) => text === null).map((input) => input.blockId),
})

/** Uses the starter's current permissions. */
async function contextOf(ctx: JobContext, run: EngineRun): Promise<Context> {
  const caller = await findRunCaller(ctx.sql, run)
  if (!caller) throw accessLost()
  return createContext({ ...ctx, caller })
}

/** A block that can't start has failed. */
async function startNode(
  models: ModelChoices,
  ctx: Context,
  run: EngineRun,
  node: WorkflowNode,
  nodes: readonly WorkflowNode[],
): Promise<ShownState> {
  const { blockId, title, instructions, outputSchema, agentId } = node
  try {
    const project = await findProject(ctx, run.projectId, 'edit')
    const inputs = await inputsOf(ctx, run, node, nodes)
    const started = await startRun(models, ctx, project, {
      block: { id: blockId, title },
      agentId,
      message: { instructions, outputSchema, inputs },
      parent: { run, step: null, ordinal: null },
    })
    Object.assign(node, { state: 'running', childRunId: started.runId })
    return { status: 'queued', ...started }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    Object.assign(node, { state: 'failed', error: error.message })
    return { status: 'failed', error: error.message }
  }
}

/** As at the start, plus upstream answers. */
const inputsOf = (ctx: Context, { orgId }: EngineRun, node: WorkflowNode, nodes: readonly WorkflowNode[]) =>
  Promise.all(
    node.inputs.map(async (input) => {
      if (input.text !== null) return { ...input, text: input.text }
      const { childRunId, childTrust } = find(nodes, input.blockId)
      const text = (childRunId && (await findResultText(ctx.sql, orgId, childRunId))) ?? ''
      return { ...input, text, isData: childTrust !== 'trusted' }
    }),
  )

function failureOf(nodes: readonly WorkflowNode[]) {
  const { title, instructions, error, state } = nodes.find(
    (node) => node.state === 'failed' || node.state === 'canceled',
  )!
  const name = blockName({ title, content: instructions })
  const detail = state === 'canceled' ? `The run for ${name} was canceled` : `${name} failed: ${error}`
  return { status: 'failed' as const, code: 'workflow_failed' as const, detail }
}
