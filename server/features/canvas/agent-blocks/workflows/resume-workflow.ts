import type { Context } from '../../../../context.ts'
import type { ModelChoices } from '../../../../language-models/models.ts'
import { moveChildren } from '../../../agents/runs/runs.ts'
import { findProject } from '../../../projects/projects/projects.ts'
import { moveBlocks } from './show-states.ts'
import { insertWorkflow } from './start-workflow.ts'
import { listNodes, type WorkflowBlock } from './workflow-queries.ts'

/**
 * Runs the blocks of a workflow that are not done, with the graph as it was at the start; blocks that are done keep
 * their answers. All runs of its blocks belong to the new run from then on, so that one undo reverts all of them.
 */
export async function resumeWorkflow(
  models: ModelChoices,
  ctx: Context,
  { id, projectId, title }: { id: string; projectId: string; title: string },
): Promise<string> {
  const { sql, caller } = ctx
  const project = await findProject(ctx, projectId, 'edit')
  const nodes = (await listNodes(sql, caller.orgId, id)).map(
    ({ blockId, n, instructions, agentId, inputs, ...node }): WorkflowBlock => ({
      blockId,
      n,
      title: node.title,
      instructions,
      agentId,
      inputs,
      ...(node.state === 'done' || node.childStatus === 'succeeded'
        ? { state: 'done', childRunId: node.childRunId, error: null }
        : { state: 'queued', childRunId: null, error: null }),
    }),
  )
  const runId = await insertWorkflow(models, ctx, project, nodes, { title })
  await moveChildren(sql, caller.orgId, id, runId)
  const done = nodes.filter(({ state }) => state === 'done').map(({ blockId }) => blockId)
  const run = { orgId: caller.orgId, id: runId, projectId: project.id, createdBy: caller.userId }
  await moveBlocks(ctx, run, { from: id, blockIds: done })
  return runId
}
