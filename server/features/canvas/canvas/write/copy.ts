import type { Context } from '../../../../context.ts'
import { newId } from '../../../../security/ids.ts'
import type { ProjectRow } from '../../../projects/projects/projects.ts'
import {
  type CanvasCopy,
  copyBlocks,
  copyEdges,
  type IdPairs,
  listAgentMetadata,
  listItemIds,
  updateTotals,
} from './copy-queries.ts'
import { markOutside } from './outside.ts'
import { withoutRuntime } from './runtime-keys.ts'

/** Copies a canvas to an empty project, with new ids and without its history. Both projects must be locked. */
export async function copyCanvas(
  ctx: Context,
  from: ProjectRow,
  to: ProjectRow,
  { files, outside }: { files: Map<string, string>; outside: readonly string[] },
): Promise<void> {
  const { sql, caller } = ctx
  const { orgId } = caller
  const now = ctx.now()
  const items = await listItemIds(sql, orgId, from.id)
  const copy: CanvasCopy = {
    from: from.id,
    to: to.id,
    blocks: withNewIds(items.blocks),
    edges: withNewIds(items.edges),
    files: { old: [...files.keys()], new: [...files.values()] },
    userId: caller.userId,
    now,
  }
  const historyBytes = (await copyBlocks(sql, orgId, copy)) + (await copyEdges(sql, orgId, copy))
  const copies = new Map(copy.blocks.old.map((id, index) => [id, copy.blocks.new[index]!]))
  await markOutside(sql, { orgId, id: to.id }, { blockIds: outside.map((id) => copies.get(id)!), after: 0 })
  const [blocks, edges] = [items.blocks.length, items.edges.length]
  const canvasBytes = from.canvasBytes - (await runtimeBytes(ctx, from.id))
  await ctx.quotas.reserve(sql, orgId, { blocks, history: historyBytes })
  await updateTotals(sql, orgId, to.id, { blocks, edges, canvasBytes, historyBytes, now })
  to.lastActivityAt = now.toISOString()
}

const withNewIds = (old: string[]): IdPairs => ({ old, new: old.map(() => newId()) })

/** The bytes of the state of runs, which is not copied. */
async function runtimeBytes({ sql, caller }: Context, projectId: string): Promise<number> {
  const rows = await listAgentMetadata(sql, caller.orgId, projectId)
  const bytesOf = (metadata: object) => Buffer.byteLength(JSON.stringify(metadata))
  return rows.reduce((sum, { metadata }) => {
    const copied = withoutRuntime({ type: 'agent', metadata })
    return sum + bytesOf(metadata) - bytesOf(copied.metadata)
  }, 0)
}
