import { badField } from '../../../../errors.ts'
import type { BlockFields, BlockRow } from '../records.ts'
import type { AffectedItems, NormalizedWrite, WriteOptions } from './canvas-write.ts'

export type Changes = Map<string, Partial<BlockFields>>
type Hierarchy = Map<string, Pick<BlockRow, 'type' | 'parentId'>>

/** Every parent must be a group, and no group may contain itself. Adds blocks leaving a group to `changes`. */
export function checkGroups(
  affected: AffectedItems,
  write: NormalizedWrite,
  changes: Changes,
  options: WriteOptions,
): void {
  if (!touchesGroups(write)) return
  const hierarchy = hierarchyAfter(affected, write, changes)
  removeFromDissolved(affected, write, changes, hierarchy, options)
  const valid = new Set<string>()
  for (const { id, requested, field } of blocksWithParent(write, changes, options)) {
    if (!requested.parentId) continue
    const problem = problemOf(id, hierarchy, valid)
    if (problem === null) continue
    if (!options.isRestoring) throw badField(`${field}.parentId`, problem)
    requested.parentId = null
    hierarchy.get(id)!.parentId = null
  }
}

const touchesGroups = (write: NormalizedWrite) =>
  write.delete.blocks.length > 0 ||
  write.create.blocks.some(({ parentId }) => parentId !== null) ||
  write.update.blocks.some(({ type, parentId }) => type !== undefined || parentId !== undefined)

function hierarchyAfter(affected: AffectedItems, write: NormalizedWrite, changes: Changes): Hierarchy {
  const hierarchy: Hierarchy = new Map()
  for (const [id, { type, parentId }] of affected.hierarchy) {
    const change = changes.get(id)
    const hasNewParent = change?.parentId !== undefined
    hierarchy.set(id, { type: change?.type ?? type, parentId: hasNewParent ? change.parentId! : parentId })
  }
  for (const { id, type, parentId } of write.create.blocks) hierarchy.set(id, { type, parentId })
  for (const id of write.delete.blocks) hierarchy.delete(id)
  return hierarchy
}

function removeFromDissolved(
  affected: AffectedItems,
  write: NormalizedWrite,
  changes: Changes,
  hierarchy: Hierarchy,
  options: WriteOptions,
): void {
  const deleted = new Set(write.delete.blocks)
  for (const { id, parentId } of affected.blocks.values()) {
    const item = hierarchy.get(id)
    if (!item || parentId === null || item.parentId !== parentId) continue
    const type = changes.get(parentId)?.type
    const changesType = type !== undefined && type !== 'group'
    if (!deleted.has(parentId) && !changesType) continue
    if (changesType && !options.isRestoring) {
      const index = write.update.blocks.findIndex((block) => block.id === parentId)
      const field = options.fieldOf('update', 'blocks', index)
      throw badField(`${field}.type`, 'must stay group while it contains blocks')
    }
    item.parentId = null
    changes.set(id, { ...changes.get(id), parentId: null })
  }
}

const blocksWithParent = (write: NormalizedWrite, changes: Changes, { fieldOf }: WriteOptions) => [
  ...write.create.blocks.map((block, index) => ({
    id: block.id,
    requested: block as Partial<BlockFields>,
    field: fieldOf('create', 'blocks', index),
  })),
  ...write.update.blocks.map(({ id }, index) => ({
    id,
    requested: changes.get(id)!,
    field: fieldOf('update', 'blocks', index),
  })),
]

/** `valid` caches finite chains. */
function problemOf(id: string, hierarchy: Hierarchy, valid: Set<string>): string | null {
  const parentId = hierarchy.get(id)!.parentId!
  if (hierarchy.get(parentId)?.type !== 'group') return 'is not a group on this canvas'
  const chain = new Set([id])
  for (let at: string | null = parentId; at && !valid.has(at); at = hierarchy.get(at)?.parentId ?? null) {
    if (chain.has(at)) return 'would place the group inside itself'
    chain.add(at)
  }
  for (const link of chain) valid.add(link)
  return null
}
