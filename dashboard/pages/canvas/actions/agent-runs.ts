import { toast, toastFailure } from '../../../components/toast.tsx'
import { randomId } from '../../../state/random-id.ts'
import { agentStateOf, isActive } from '../blocks/agent/agent-state.ts'
import type { OpenCanvas } from '../open-canvas.ts'

/** Runs an agent block as it is saved: what the user has just written reaches the server first. */
export async function runAgentBlock({ store, api, project, isGuest }: OpenCanvas, blockId: string) {
  if (isGuest) return
  await store.whenSaved()
  const block = store.items.blocks.get(blockId)
  if (!block || isActive(agentStateOf(block))) return
  if (!block.content?.trim()) return toast('Write instructions first, then run the block')
  try {
    await api.agentBlocks.run({ projectId: project.id, blockId }, { idempotencyKey: randomId() })
  } catch (error) {
    toastFailure(error)
  }
}

export async function stopAgentBlock({ store, api }: OpenCanvas, blockId: string) {
  const block = store.items.blocks.get(blockId)
  const state = block ? agentStateOf(block) : null
  if (!state || !isActive(state)) return
  try {
    await api.agentRuns.cancel({ id: state.runId })
  } catch (error) {
    toastFailure(error)
  }
}

/** Runs the selected agent blocks. Returns false if none is selected. */
export function runSelected(canvas: OpenCanvas): boolean {
  const ids = [...canvas.viewModel.selection.get().blocks].filter(
    (id) => canvas.store.items.blocks.get(id)?.type === 'agent',
  )
  for (const id of ids) void runAgentBlock(canvas, id)
  return ids.length > 0 && !canvas.isGuest
}
