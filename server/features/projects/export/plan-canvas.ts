import { canonicalJson } from '../../../../contract/canonical-json.ts'
import { BLOCK_FIELDS } from '../../../../contract/canvas/block-fields.ts'
import { inSlices } from '../../../concurrency/slices.ts'
import {
  type BlockFields,
  type BlockRow,
  type CanvasWrite,
  type EdgeRow,
  titleOfBlock,
  titleOfEdge,
} from '../../canvas/canvas/canvas.ts'
import type { ManifestBlock, ManifestEdge } from './manifest.ts'
import type { PlanBuilder } from './plan-parts.ts'

export interface Canvas<B, E> {
  blocks: B[]
  edges: E[]
}
export type TargetCanvas = Canvas<ManifestBlock, ManifestEdge>

export async function planCanvas(
  builder: PlanBuilder,
  current: Canvas<BlockRow, EdgeRow>,
  target: TargetCanvas,
  mode: 'merge' | 'replace',
): Promise<CanvasWrite & { rewired: string[] }> {
  const blocks = await planBlocks(builder, current.blocks, target.blocks, mode)
  const edges = await planEdges(builder, current, target, mode)
  return {
    create: { blocks: blocks.create, edges: edges.create },
    update: { blocks: blocks.update, edges: edges.update },
    delete: { blocks: blocks.delete, edges: edges.delete },
    rewired: edges.rewired,
  }
}

async function planBlocks(
  builder: PlanBuilder,
  current: BlockRow[],
  target: ManifestBlock[],
  mode: 'merge' | 'replace',
) {
  const before = new Map(current.map((block) => [block.id, block]))
  const after = new Map(target.map((block) => [block.id, block]))
  const update: ({ id: string } & Partial<BlockFields>)[] = []
  const change = (block: BlockRow, next: BlockFields) => {
    const fields = BLOCK_FIELDS.filter((field) => !isSame(block[field], next[field]))
    if (fields.length === 0) return builder.addUnchanged()
    builder.update({ kind: 'block', id: block.id, title: titleOfBlock(next), fields })
    update.push({ id: block.id, ...Object.fromEntries(fields.map((field) => [field, next[field]])) })
  }
  const create = target.filter(({ id }) => !before.has(id))
  await inSlices(create, (block) =>
    builder.create({ kind: 'block', id: block.id, title: titleOfBlock(block) }),
  )
  const deleted: string[] = []
  await inSlices(current, (block) => {
    const next = after.get(block.id)
    if (next) change(block, next)
    else if (mode === 'replace') {
      builder.delete({ kind: 'block', id: block.id, title: titleOfBlock(block) })
      deleted.push(block.id)
    } else if (after.get(block.parentId ?? '')?.type !== 'group' && after.has(block.parentId ?? ''))
      // The parent is no longer a group, so the block keeps only its position.
      change(block, { ...block, parentId: null })
  })
  return { create, update, delete: deleted }
}

async function planEdges(
  builder: PlanBuilder,
  current: Canvas<BlockRow, EdgeRow>,
  target: TargetCanvas,
  mode: 'merge' | 'replace',
) {
  const before = new Map(current.edges.map((edge) => [edge.id, edge]))
  const after = new Set(target.edges.map(({ id }) => id))
  const blocks = new Map([...current.blocks, ...target.blocks].map((block) => [block.id, block]))
  const item = (edge: EdgeRow) => ({
    kind: 'edge' as const,
    id: edge.id,
    title: titleOfEdge(edge, blocks),
  })
  const create: EdgeRow[] = []
  const update: Pick<EdgeRow, 'id' | 'label' | 'condition' | 'style'>[] = []
  const rewired: string[] = []
  await inSlices(target.edges, ({ style = {}, condition = null, ...rest }) => {
    const edge = { ...rest, condition, style }
    const old = before.get(edge.id)
    if (!old) {
      builder.create(item(edge))
      create.push(edge)
      return
    }
    const fields = (['fromBlockId', 'toBlockId', 'label', 'condition', 'style'] as const).filter(
      (field) => !isSame(old[field], edge[field]),
    )
    if (fields.length === 0) builder.addUnchanged()
    else builder.update({ ...item(edge), fields })
    // An edge's ends are immutable, so it's deleted and created again.
    if (fields.some((field) => field === 'fromBlockId' || field === 'toBlockId')) {
      rewired.push(edge.id)
      create.push(edge)
    } else if (fields.length > 0) update.push(edge)
  })
  const deleted = mode === 'replace' ? current.edges.filter(({ id }) => !after.has(id)) : []
  for (const edge of deleted) builder.delete(item(edge))
  return { create, update, delete: deleted.map(({ id }) => id), rewired }
}

/** Ignores key order. */
export const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && canonicalJson(a) === canonicalJson(b))
