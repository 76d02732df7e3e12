import type { JobContext } from '../../../../context.ts'
import { findWorkflow } from './find-workflow.ts'
import { showStates } from './show-states.ts'
import { listNodes, updateNode } from './workflow-queries.ts'

/** Marks the blocks of a workflow that ended before they ran; the states of those that ran follow their runs. */
export const closeBlocks = (ctx: JobContext, { orgId, runId }: { orgId: string; runId: string }) =>
  ctx.transaction(async (inside) => {
    const run = await findWorkflow(inside.sql, orgId, runId)
    if (!run || run.status === 'succeeded') return
    const state = run.status === 'canceled' ? 'canceled' : 'skipped'
    const queued = (await listNodes(inside.sql, orgId, runId)).filter((node) => node.state === 'queued')
    for (const node of queued) await updateNode(inside.sql, orgId, runId, { ...node, state })
    await showStates(inside, run, new Map(queued.map(({ blockId }) => [blockId, { status: state }])))
  })
