import { t } from '../../../../contract/text.ts'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { randomId } from '../../../state/random-id.ts'
import { isActive, readAgentState } from '../model/agent-state.ts'
import { canRunBlock, readSteps } from '../model/block-steps.ts'
import type { OpenCanvas } from '../open-canvas.ts'

/** Waits until pending canvas edits are saved. With `downstream`, downstream agent blocks run next. */
export async function runAgentBlock(
  { store, api, project, isGuest }: OpenCanvas,
  blockId: string,
  { downstream = false } = {},
) {
  if (isGuest) return
  await store.whenSaved()
  const block = store.items.blocks.get(blockId)
  if (!block || isActive(readAgentState(block))) return
  if (!canRunBlock(block)) return toast(t`Write instructions before you run the block`)
  try {
    await api.agentBlocks.run({ projectId: project.id, blockId, downstream }, { idempotencyKey: randomId() })
  } catch (error) {
    toastFailure(error)
  }
}

/** A block that waits for others in a workflow has no run, so this stops the workflow. */
export async function stopAgentBlock({ store, api }: OpenCanvas, blockId: string) {
  const block = store.items.blocks.get(blockId)
  const state = block ? readAgentState(block) : null
  if (!state || !isActive(state)) return
  try {
    // A block that repeats or waits has no run of its own.
    const isOwn =
      state.status !== 'queued' && readSteps(block!).kind === 'agent' && !readSteps(block!).forEach
    const id = isOwn ? state.runId : (state.workflowRunId ?? state.runId)
    if (id) await api.agentRuns.cancel({ id })
  } catch (error) {
    toastFailure(error)
  }
}

export const cancelWorkflow = ({ api }: OpenCanvas, id: string) =>
  api.agentRuns.cancel({ id }).catch(toastFailure)

export const resumeWorkflow = ({ api }: OpenCanvas, id: string) =>
  api.agentRuns.retry({ id }, { idempotencyKey: randomId() }).catch(toastFailure)

export function leadsToAgents({ store: { items } }: OpenCanvas, blockId: string): boolean {
  for (const { fromBlockId, toBlockId } of items.edges.values())
    if (fromBlockId === blockId && items.blocks.get(toBlockId)?.type === 'agent') return true
  return false
}

/** Returns false if none is selected, and for guests. */
export function runSelected(canvas: OpenCanvas): boolean {
  const ids = [...canvas.viewModel.selection.get().blocks].filter(
    (id) => canvas.store.items.blocks.get(id)?.type === 'agent',
  )
  for (const id of ids) void runAgentBlock(canvas, id)
  return ids.length > 0 && !canvas.isGuest
}
