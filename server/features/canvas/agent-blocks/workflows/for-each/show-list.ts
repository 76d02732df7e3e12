import type { AgentBlockState } from '../../../../../../contract/canvas/block-fields.ts'
import { outputText, readOutput } from '../outputs.ts'
import type { ShownState } from '../show-states.ts'
import type { NodeContext } from '../start-node.ts'
import type { WorkflowNode } from '../workflow-queries.ts'
import type { ListProgress } from './advance-list.ts'
import { type ListRow, updateShownAt } from './list-queries.ts'

/** A canvas change reaches everyone who has it open. */
const SHOWN_EVERY_MS = 2000

/** Null if the shown progress is recent enough. */
export async function showList(
  { ctx, run }: NodeContext,
  node: WorkflowNode,
  { list, end, waits }: ListProgress,
  isForced: boolean,
): Promise<ShownState | null> {
  const now = ctx.now()
  const isRecent = list.shownAt !== null && now.getTime() - new Date(list.shownAt).getTime() < SHOWN_EVERY_MS
  if (isRecent && !isForced && end === null && waits !== 'preview') return null
  await updateShownAt(ctx.sql, run.orgId, list.id, now)
  const shown: ShownState = {
    status: end?.state ?? (waits === 'preview' ? 'waiting' : 'running'),
    waitsFor: end === null && waits === 'preview' ? 'preview' : null,
    cost: { amount: list.cost, currency: 'USD' },
    error: end?.error ?? null,
    itemCounts: countsOf(list),
    ...(end && { finishedAt: now.toISOString() }),
  }
  if (end?.state !== 'done') return shown
  const output = outputText(await readOutput(ctx.sql, run.orgId, run.id, node))
  return { ...shown, output, outputRunId: list.outputRunId }
}

const countsOf = ({ total, running, done, failed }: ListRow): NonNullable<AgentBlockState['itemCounts']> => ({
  total,
  running,
  done,
  failed,
})
