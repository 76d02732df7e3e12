import type { AgentBlockState } from '../../../../../contract/canvas/block-fields.ts'
import type { Context, JobContext } from '../../../../context.ts'
import type { EngineRun } from '../../../agents/runs/runs.ts'
import { lockForRuntime } from '../../../projects/projects/projects.ts'
import { listBlocksById, writeCanvas } from '../../canvas/canvas.ts'
import { fitOutput, keptOutput, runtimeCaller } from '../state.ts'

export type ShownState = Partial<AgentBlockState> & Pick<AgentBlockState, 'status'>

/** The last answer and run stay. */
const NOT_RUN = {
  waitsFor: null,
  startedAt: null,
  finishedAt: null,
  cost: { amount: '0.000000', currency: 'USD' },
  error: null,
  itemCounts: null,
}

type ShownRun = Pick<EngineRun, 'orgId' | 'id' | 'projectId' | 'createdBy'>
type Metadata = Record<string, unknown>

/** Skips blocks that were deleted or changed type. */
export const showStates = (
  ctx: Context<'quotas'> | JobContext<'quotas'>,
  run: ShownRun,
  states: ReadonlyMap<string, ShownState>,
): Promise<void> =>
  changeBlocks(ctx, run, [...states.keys()], (id, metadata) =>
    fitOutput({
      runId: null,
      sessionId: null,
      ...metadata,
      ...keptOutput(metadata),
      ...(metadata.workflowRunId !== run.id && NOT_RUN),
      ...states.get(id),
      workflowRunId: run.id,
    }),
  )

/** Blocks done before a resume belong to the new run, unless they ran again since. */
export const moveBlocks = (
  ctx: Context<'quotas'>,
  run: ShownRun,
  { from, blockIds }: { from: string; blockIds: readonly string[] },
): Promise<void> =>
  changeBlocks(ctx, run, blockIds, (_, metadata) =>
    metadata.workflowRunId === from ? { ...metadata, workflowRunId: run.id } : null,
  )

async function changeBlocks(
  ctx: Context<'quotas'> | JobContext<'quotas'>,
  run: ShownRun,
  blockIds: readonly string[],
  change: (id: string, metadata: Metadata) => Metadata | null,
): Promise<void> {
  if (blockIds.length === 0) return
  const { sql } = ctx
  const { orgId, projectId } = run
  const project = await lockForRuntime(sql, orgId, projectId)
  if (!project) return
  const blocks = await listBlocksById(sql, orgId, projectId, [...blockIds])
  const update = blocks.flatMap(({ id, type, metadata }) => {
    const changed = type === 'agent' ? change(id, metadata) : null
    return changed ? [{ id, metadata: changed }] : []
  })
  if (update.length === 0) return
  await writeCanvas(
    { ...ctx, caller: runtimeCaller(orgId, run) } as Context<'quotas'>,
    project,
    { update: { blocks: update } },
    { isRuntime: true, publishEvents: false },
  )
}
