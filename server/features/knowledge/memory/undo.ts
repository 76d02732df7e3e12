import type { Context } from '../../../context.ts'
import { requireEdit } from './access.ts'
import { lockByKey, updateText } from './queries.ts'
import { announce } from './record-change.ts'
import { listWritten, updateExistence, type WrittenMemory } from './undo-queries.ts'

export interface MemoryUndo {
  memory: WrittenMemory
  action: 'reverted' | 'recreated' | 'removed' | 'skipped'
  reason: 'edited_since' | 'purged' | 'in_use' | null
}

/** The effect of an undo of these runs on memories. The caller has to be able to change each of them. */
export async function planMemoryUndo(
  ctx: Context,
  runIds: readonly string[],
  { lock }: { lock: boolean },
): Promise<MemoryUndo[]> {
  const plans: MemoryUndo[] = []
  for (const memory of await listWritten(ctx.sql, ctx.caller.orgId, runIds, { lock })) {
    await requireEdit(ctx, memory.projectId)
    const plan = await planOne(ctx, memory)
    if (plan) plans.push(plan)
  }
  return plans
}

async function planOne(ctx: Context, memory: WrittenMemory): Promise<MemoryUndo | null> {
  const { before, current, isEdited, isForgotten } = memory
  if (isForgotten) return { memory, action: 'skipped', reason: 'purged' }
  if (before === null && current === null) return null
  if (before !== null && (await isKeyTaken(ctx, memory, before.key)))
    return { memory, action: 'skipped', reason: 'in_use' }
  const action = before === null ? 'removed' : current === null ? 'recreated' : 'reverted'
  return { memory, action, reason: isEdited ? 'edited_since' : null }
}

async function isKeyTaken(
  { sql, caller: { orgId } }: Context,
  { id, projectId, isProposal }: WrittenMemory,
  key: string,
): Promise<boolean> {
  if (isProposal) return false
  const other = await lockByKey(sql, orgId, projectId ?? orgId, key)
  return other !== null && other.id !== id
}

/** The versions of an undo have the id of its run, so that it can be undone in the same way. */
export async function applyMemoryUndo(
  ctx: Context,
  plans: readonly MemoryUndo[],
  undoRunId: string,
): Promise<void> {
  const { sql, caller } = ctx
  const { orgId, userId } = caller
  const now = ctx.now()
  const writer = { source: 'person' as const, userId, runId: undoRunId }
  for (const { memory, action } of plans) {
    if (action === 'skipped') continue
    const { id, projectId, version, isProposal, before, current } = memory
    const change = action === 'removed' ? ('removed' as const) : ('restored' as const)
    const text = { ...(before ?? current)!, change, restoredFrom: null, writer, now }
    if (action !== 'reverted')
      await updateExistence(sql, orgId, id, { exists: action === 'recreated', isProposal, by: userId, now })
    await updateText(sql, orgId, { id, version }, text)
    const changed = { id, projectId, runId: undoRunId }
    if (action === 'removed') await announce(ctx, 'memory.deleted', changed)
    else await announce(ctx, 'memory.updated', changed, { version: version + 1, change })
  }
}

/** A page of the changes of runs to memories: the texts before and after. */
export async function listMemoryChanges(
  ctx: Context,
  runIds: readonly string[],
  { after, limit }: { after: string | null; limit: number },
) {
  const page = { caller: ctx.caller, after, limit }
  const rows = await listWritten(ctx.sql, ctx.caller.orgId, runIds, { page })
  return rows.map(({ id, projectId, before, after: written }) => ({
    id,
    projectId,
    name: (written ?? before)?.key ?? null,
    action:
      before === null ? ('created' as const) : written === null ? ('deleted' as const) : ('updated' as const),
    before: before && { ...before },
    after: written && { ...written },
  }))
}
