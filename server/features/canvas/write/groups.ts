import { badField } from '../../../errors.ts'
import type { BlockFields, BlockRow } from '../records.ts'
import type { NormalizedWrite, WriteOptions } from './canvas-write.ts'
import type { AffectedItems } from './load-affected.ts'

export type Changes = Map<string, Partial<BlockFields>>
type Places = Map<string, Pick<BlockRow, 'type' | 'parentId'>>

/**
 * What a block is in must be a group once everything is done, and no group can come to be inside itself. What was in a
 * group that goes is let go, which is added to `changes`.
 */
export function checkGroups(
  known: AffectedItems,
  write: NormalizedWrite,
  changes: Changes,
  asked: WriteOptions,
): void {
  if (!touchesGroups(write)) return
  const places = placesAfter(known, write, changes)
  letGo(known, write, changes, places, asked)
  const settled = new Set<string>()
  for (const { id, wanted, name } of placedBlocks(write, changes, asked)) {
    if (!wanted.parentId) continue
    const problem = problemOf(id, places, settled)
    if (problem === null) continue
    if (!asked.isRestoring) throw badField(`${name}.parentId`, problem)
    wanted.parentId = null
    places.get(id)!.parentId = null
  }
}

/** Most writes only move or change blocks where they are. */
const touchesGroups = (write: NormalizedWrite) =>
  write.delete.blocks.length > 0 ||
  write.create.blocks.some(({ parentId }) => parentId !== null) ||
  write.update.blocks.some(({ type, parentId }) => type !== undefined || parentId !== undefined)

/** Every known block as it is to be; what goes is not among them. */
function placesAfter(known: AffectedItems, write: NormalizedWrite, changes: Changes): Places {
  const places: Places = new Map()
  for (const [id, { type, parentId }] of known.hierarchy) {
    const change = changes.get(id)
    const isPlaced = change?.parentId !== undefined
    places.set(id, { type: change?.type ?? type, parentId: isPlaced ? change.parentId! : parentId })
  }
  for (const { id, type, parentId } of write.create.blocks) places.set(id, { type, parentId })
  for (const id of write.delete.blocks) places.delete(id)
  return places
}

function letGo(
  known: AffectedItems,
  write: NormalizedWrite,
  changes: Changes,
  places: Places,
  asked: WriteOptions,
): void {
  const gone = new Set(write.delete.blocks)
  for (const { id, parentId } of known.blocks.values()) {
    const place = places.get(id)
    if (!place || parentId === null || place.parentId !== parentId) continue
    const type = changes.get(parentId)?.type
    const isNoGroup = type !== undefined && type !== 'group'
    if (!gone.has(parentId) && !isNoGroup) continue
    if (isNoGroup && !asked.isRestoring) {
      const index = write.update.blocks.findIndex((block) => block.id === parentId)
      const name = asked.nameOf('update', 'blocks', index)
      throw badField(`${name}.type`, 'must stay group while there are blocks in it')
    }
    place.parentId = null
    changes.set(id, { ...changes.get(id), parentId: null })
  }
}

/** The blocks of the request whose group may change, and what says so. */
const placedBlocks = (write: NormalizedWrite, changes: Changes, { nameOf }: WriteOptions) => [
  ...write.create.blocks.map((block, index) => ({
    id: block.id,
    wanted: block as Partial<BlockFields>,
    name: nameOf('create', 'blocks', index),
  })),
  ...write.update.blocks.map(({ id }, index) => ({
    id,
    wanted: changes.get(id)!,
    name: nameOf('update', 'blocks', index),
  })),
]

/** Goes from group to group outwards. `settled` are those from which that was done before, and ended well. */
function problemOf(id: string, places: Places, settled: Set<string>): string | null {
  const parentId = places.get(id)!.parentId!
  if (places.get(parentId)?.type !== 'group') return 'is not a group on this canvas'
  const way = new Set([id])
  for (let at: string | null = parentId; at && !settled.has(at); at = places.get(at)?.parentId ?? null) {
    if (way.has(at)) return 'would put the group into itself'
    way.add(at)
  }
  for (const passed of way) settled.add(passed)
  return null
}
