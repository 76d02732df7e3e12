import { isDeepStrictEqual } from 'node:util'
import { BLOCK_FIELDS } from '../../../../contract/canvas/block-fields.ts'
import { badField, conflict } from '../../../errors.ts'
import { type BlockFields, type BlockRow, EDGE_FIELDS, type EdgeFields, type EdgeRow } from '../records.ts'
import type { NormalizedWrite, WriteOptions } from './canvas-write.ts'
import { checkGroups } from './groups.ts'
import type { AffectedItems } from './load-affected.ts'

export interface BlockUpdate {
  row: BlockRow
  /** Those that change, with what they become. */
  change: Partial<BlockFields>
}

export interface BlockPlan {
  created: (BlockFields & { id: string })[]
  updated: BlockUpdate[]
  deleted: BlockRow[]
  /** Named, but just as they are to be. */
  unchanged: BlockRow[]
}

export interface EdgePlan {
  created: EdgeRow[]
  updated: { row: EdgeRow; change: Partial<EdgeFields> }[]
  deleted: EdgeRow[]
  unchanged: EdgeRow[]
}

export interface CanvasPlan {
  blocks: BlockPlan
  edges: EdgePlan
}

/** What becomes of the blocks; refuses what would leave a canvas that cannot be. */
export function planBlocks(known: AffectedItems, write: NormalizedWrite, asked: WriteOptions): BlockPlan {
  const { nameOf } = asked
  const once = onlyOnce()
  const created = write.create.blocks.map((block, index) => {
    once(block.id, `${nameOf('create', 'blocks', index)}.id`)
    if (known.hierarchy.has(block.id)) throw conflict(`There is a block with the id ${block.id} already`)
    return block
  })
  const changes = new Map<string, Partial<BlockFields>>()
  for (const [index, { id, ...change }] of write.update.blocks.entries()) {
    const name = `${nameOf('update', 'blocks', index)}.id`
    once(id, name)
    if (!known.blocks.has(id)) throw badField(name, 'is not a block of this project')
    changes.set(id, change)
  }
  const deleted = write.delete.blocks.map((id, index) => {
    const name = nameOf('delete', 'blocks', index)
    once(id, name)
    const row = known.blocks.get(id)
    if (!row) throw badField(name, 'is not a block of this project')
    return row
  })
  checkGroups(known, write, changes, asked)
  const updated: BlockUpdate[] = []
  const unchanged: BlockRow[] = []
  for (const [id, wanted] of changes) {
    const row = known.blocks.get(id)!
    const change = differenceOf<BlockFields>(BLOCK_FIELDS, row, wanted)
    if (change) updated.push({ row, change })
    else unchanged.push(row)
  }
  return { created, updated, deleted, unchanged }
}

/** The same for edges. Those of a block that goes, go with it. */
export function planEdges(
  known: AffectedItems,
  write: NormalizedWrite,
  blocks: BlockPlan,
  asked: WriteOptions,
): EdgePlan {
  const { nameOf, isRestoring } = asked
  const once = onlyOnce()
  const gone = new Set(blocks.deleted.map(({ id }) => id))
  const added = new Set(blocks.created.map(({ id }) => id))
  const isThere = (id: string) => !gone.has(id) && (added.has(id) || known.hierarchy.has(id))

  const created = write.create.edges.filter((edge, index) => {
    const name = nameOf('create', 'edges', index)
    once(edge.id, `${name}.id`)
    if (known.edges.has(edge.id)) throw conflict(`There is a connection with the id ${edge.id} already`)
    const missing = (['fromBlockId', 'toBlockId'] as const).find((end) => !isThere(edge[end]))
    if (missing && !isRestoring) throw badField(`${name}.${missing}`, 'is not a block of this project')
    if (edge.fromBlockId === edge.toBlockId)
      throw badField(`${name}.toBlockId`, 'must be another block than fromBlockId')
    return !missing
  })
  const find = (id: string, name: string) => {
    once(id, name)
    const row = known.edges.get(id)
    if (!row) throw badField(name, 'is not a connection of this project')
    return row
  }
  const changes = new Map<string, Partial<EdgeFields>>()
  for (const [index, { id, ...wanted }] of write.update.edges.entries()) {
    changes.set(find(id, `${nameOf('update', 'edges', index)}.id`).id, wanted)
  }
  const deleted = new Set(write.delete.edges.map((id, index) => find(id, nameOf('delete', 'edges', index))))
  const updated: EdgePlan['updated'] = []
  const unchanged: EdgeRow[] = []
  for (const row of known.edges.values()) {
    const wanted = changes.get(row.id)
    const { fromBlockId, toBlockId } = { ...row, ...wanted }
    const isLoose = wanted?.fromBlockId !== undefined && !(isThere(fromBlockId) && isThere(toBlockId))
    const change = wanted && differenceOf<EdgeFields>(EDGE_FIELDS, row, wanted)
    if (isLoose || gone.has(fromBlockId) || gone.has(toBlockId)) deleted.add(row)
    else if (change && !deleted.has(row)) updated.push({ row, change })
    else if (wanted) unchanged.push(row)
  }
  return { created, updated, deleted: [...deleted], unchanged }
}

function onlyOnce() {
  const seen = new Set<string>()
  return (id: string, name: string) => {
    if (seen.has(id)) throw badField(name, 'is named twice')
    seen.add(id)
  }
}

/** Null if nothing changes. */
function differenceOf<F extends object>(
  fields: readonly (keyof F)[],
  row: F,
  wanted: Partial<F>,
): Partial<F> | null {
  let change: Partial<F> | null = null
  for (const field of fields) {
    const value = wanted[field]
    if (value === undefined || isSame(row[field], value)) continue
    change ??= {}
    change[field] = value
  }
  return change
}

const isSame = (left: unknown, right: unknown) =>
  left === right || (typeof left === 'object' && isDeepStrictEqual(left, right))
