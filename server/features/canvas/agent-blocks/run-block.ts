import type { agentBlocks } from '../../../../contract/canvas/agent-blocks.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { badField, conflict, notFound, raise } from '../../../errors.ts'
import type { ModelChoices } from '../../../language-models/models.ts'
import { presentAgentRun } from '../../agents/runs/runs.ts'
import { findProject, type ProjectRow } from '../../projects/projects/projects.ts'
import { type BlockRow, changeCanvas, listBlocksById } from '../canvas/canvas.ts'
import { composeMessage, type OutsideInput } from './compose-message.ts'
import { findBlockAgent, startRun } from './start-run.ts'
import { startedState } from './state.ts'
import { readSteps } from './steps.ts'
import { findGraph } from './workflows/find-graph.ts'
import { startWorkflow } from './workflows/workflows.ts'

export const runBlock = (
  models: ModelChoices,
  ctx: Context<'quotas'>,
  input: InputOf<typeof agentBlocks.run>,
) =>
  ctx.transaction(async (inside) => ({
    run: await presentAgentRun(inside, await startBlock(models, inside, input)),
  }))

export interface BlockStart {
  projectId: string
  blockId: string
  downstream: boolean
  scheduleId?: string
  outside?: OutsideInput
}

export const startBlock = (
  models: ModelChoices,
  ctx: Context<'quotas'>,
  { projectId, blockId, downstream, scheduleId, outside }: BlockStart,
): Promise<string> =>
  ctx.transaction(async (inside) => {
    const project = await findProject(inside, projectId, 'edit')
    const block = await findAgentBlock(inside, project, blockId)
    const graph = await findGraph(inside, project, block, { downstream })
    if (graph) return startWorkflow(models, inside, project, graph, { scheduleId, outside })
    const message = await composeMessage(inside, project, block, outside)
    const agentId = await findBlockAgent(inside, block)
    const started = await startRun(models, inside, project, {
      block,
      agentId,
      message,
      isCode: false,
      scheduleId,
    })
    const state = { ...startedState(block.metadata, started), workflowRunId: null }
    const isGone = (blocks: ReadonlyMap<string, unknown>) => !blocks.has(block.id)
    await changeCanvas(
      inside,
      project.id,
      { update: { blocks: [{ id: block.id, metadata: { ...state } }] } },
      {
        isRuntime: true,
        check: ({ blocks }) => void (isGone(blocks) && raise(notFound('Block'))),
      },
    )
    return started.runId
  })

async function findAgentBlock(ctx: Context, { orgId, id }: ProjectRow, blockId: string): Promise<BlockRow> {
  const [block] = await listBlocksById(ctx.sql, orgId, id, [blockId])
  if (!block) throw notFound('Block')
  if (block.type !== 'agent') throw badField('blockId', 'must be an agent block')
  if (!block.content?.trim() && !readSteps(block).step)
    throw conflict('This block has no instructions: write them first')
  return block
}
