import type { Context } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import type { ModelChoices } from '../../../../language-models/models.ts'
import type { EngineRun } from '../../../agents/runs/runs.ts'
import { findProject } from '../../../projects/projects/projects.ts'
import type { BlockInput } from '../compose-message.ts'
import { startRun } from '../start-run.ts'
import { openList } from './for-each/advance-list.ts'
import { findList } from './for-each/list-queries.ts'
import { outputText, readOutput } from './outputs.ts'
import type { ShownState } from './show-states.ts'
import { startStep } from './steps/advance-step.ts'
import type { WorkflowNode } from './workflow-queries.ts'

export interface NodeContext {
  models: ModelChoices
  /** With the starter's current permissions. */
  ctx: Context<'quotas'>
  run: EngineRun
  nodes: readonly WorkflowNode[]
}

/** A block that can't start has failed. */
export async function startNode(env: NodeContext, node: WorkflowNode): Promise<ShownState> {
  const { models, ctx, run } = env
  const { blockId, title, instructions, outputSchema, agentId, isCode } = node
  try {
    const project = await findProject(ctx, run.projectId, 'edit')
    if (node.forEach) {
      await openList(
        { ...env, node, inputs: [], source: () => readSource(env, node) },
        node.forEach.preview ?? null,
      )
      node.state = 'running'
      return { status: 'running', startedAt: ctx.now().toISOString() }
    }
    if (node.step) return await startStep(ctx, run, node, node.step)
    const inputs = await readInputs(env, node)
    const started = await startRun(models, ctx, project, {
      block: { id: blockId, title },
      agentId,
      message: { instructions, outputSchema, inputs },
      isCode,
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

/** As at the start, plus upstream outputs. Closed edges pass nothing. */
export const readInputs = async (env: NodeContext, node: WorkflowNode): Promise<BlockInput[]> => {
  const inputs = await Promise.all(
    node.inputs.map(async (input) => {
      const edges = node.incoming.filter(({ from }) => from === input.blockId)
      if (edges.length > 0 && !edges.some((edge) => isOpenEdge(env, edge))) return []
      if (input.text !== null) return [{ ...input, text: input.text }]
      const upstream = findNode(env.nodes, input.blockId)
      if (upstream.state !== 'done') return []
      const output = await readOutput(env.ctx.sql, env.run.orgId, env.run.id, upstream)
      return [{ ...input, text: outputText(output), data: output, ...(await trustOf(env, upstream)) }]
    }),
  )
  return inputs.flat()
}

const isOpenEdge = (
  { nodes }: NodeContext,
  { condition, isOpen, isInside, from }: WorkflowNode['incoming'][number],
) => (condition === null ? !isInside || findNode(nodes, from).state === 'done' : isOpen === true)

/** What a list is made of. */
export async function readSource(env: NodeContext, node: WorkflowNode) {
  const { over } = node.forEach!
  const wanted = over.from === 'output' ? over.blockId : undefined
  const inputs = await readInputs(env, node)
  const input =
    wanted === undefined && inputs.length === 1 ? inputs[0] : inputs.find(({ blockId }) => blockId === wanted)
  if (!input) return { output: undefined, isData: false }
  const upstream = env.nodes.find(({ blockId }) => blockId === input.blockId)
  const output = upstream ? await readOutput(env.ctx.sql, env.run.orgId, env.run.id, upstream) : input.text
  return { output, isData: input.isData }
}

export const findNode = (nodes: readonly WorkflowNode[], id: string) =>
  nodes.find(({ blockId }) => blockId === id)!

/** Another member's answer must not use the starter's permissions unasked. */
async function trustOf(
  { ctx, run }: NodeContext,
  node: WorkflowNode,
): Promise<Pick<BlockInput, 'isData' | 'isVerified'>> {
  if (node.forEach)
    return { isData: (await findList(ctx.sql, run.orgId, run.id, node.blockId))?.isUntrusted ?? false }
  if (node.step === null) return { isData: node.childTrust !== null && node.childTrust !== 'trusted' }
  const { source, answeredBy } = (node.output ?? {}) as { source?: string; answeredBy?: string }
  if (node.step.type === 'form') return { isData: false, isVerified: answeredBy !== run.createdBy }
  return { isData: source !== undefined && source !== 'atrium' }
}
