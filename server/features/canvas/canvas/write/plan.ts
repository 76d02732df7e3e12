import { isDeepStrictEqual } from 'node:util'
import {
  ARROWS,
  BLOCK_FIELDS,
  ORDER_MAX,
  POINTS_MAX,
  SHAPES,
} from '../../../../../contract/canvas/block-fields.ts'
import { badField, conflict } from '../../../../errors.ts'
import { type BlockFields, type BlockRow, EDGE_FIELDS, type EdgeFields, type EdgeRow } from '../records.ts'
import type { AffectedItems, NormalizedWrite, StackedWrite, WriteOptions } from './canvas-write.ts'
import { checkGroups } from './groups.ts'
import { keepRuntime, runtimeOnly, withoutRuntime } from './runtime-keys.ts'
import { checkBlockSteps, checkCondition } from './workflow-fields.ts'

export interface BlockUpdate {
  row: BlockRow
  change: Partial<BlockFields>
}

interface BlockPlan {
  created: (BlockFields & { id: string })[]
  updated: BlockUpdate[]
  deleted: BlockRow[]
  /** Already in the requested state. */
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
  /** Text bytes. Negative if the canvas shrinks. */
  growth: number
}

export function planBlocks(affected: AffectedItems, write: StackedWrite, options: WriteOptions): BlockPlan {
  const { fieldOf } = options
  const requireUnique = createUniqueCheck()
  const created = write.create.blocks.map((block, index) => {
    requireUnique(block.id, `${fieldOf('create', 'blocks', index)}.id`)
    if (affected.hierarchy.has(block.id)) throw conflict(`A block with the id ${block.id} already exists`)
    if (!options.isRestoring) checkFigure(block, fieldOf('create', 'blocks', index))
    return block
  })
  const changes = new Map<string, Partial<BlockFields>>()
  for (const [index, { id, ...change }] of write.update.blocks.entries()) {
    const name = `${fieldOf('update', 'blocks', index)}.id`
    requireUnique(id, name)
    const row = affected.blocks.get(id)
    if (!row) throw badField(name, 'is not a block in this project')
    if (!options.isRestoring && (change.metadata || change.type))
      checkFigure({ ...row, ...change }, fieldOf('update', 'blocks', index))
    changes.set(id, options.isRuntime ? runtimeOnly(row, change) : keepRuntime(row, change))
  }
  const deleted = write.delete.blocks.map((id, index) => {
    const name = fieldOf('delete', 'blocks', index)
    requireUnique(id, name)
    const row = affected.blocks.get(id)
    if (!row) throw badField(name, 'is not a block in this project')
    return row
  })
  checkGroups(affected, write, changes, options)
  const updated: BlockUpdate[] = []
  const unchanged: BlockRow[] = []
  for (const [id, requested] of changes) {
    const row = affected.blocks.get(id)!
    const change = differenceOf<BlockFields>(BLOCK_FIELDS, row, requested)
    if (change) updated.push({ row, change })
    else unchanged.push(row)
  }
  return { created: created.map(withoutRuntime), updated, deleted, unchanged }
}

/** Also deletes a deleted block's edges. */
export function planEdges(
  affected: AffectedItems,
  write: NormalizedWrite,
  blocks: BlockPlan,
  options: WriteOptions,
): EdgePlan {
  const { fieldOf, isRestoring } = options
  const requireUnique = createUniqueCheck()
  const deletedBlocks = new Set(blocks.deleted.map(({ id }) => id))
  const addedBlocks = new Set(blocks.created.map(({ id }) => id))
  const blockExists = (id: string) =>
    !deletedBlocks.has(id) && (addedBlocks.has(id) || affected.hierarchy.has(id))

  const created = write.create.edges.filter((edge, index) => {
    const name = fieldOf('create', 'edges', index)
    requireUnique(edge.id, `${name}.id`)
    if (affected.edges.has(edge.id)) throw conflict(`An edge with the id ${edge.id} already exists`)
    const missing = (['fromBlockId', 'toBlockId'] as const).find((end) => !blockExists(edge[end]))
    if (missing && !isRestoring) throw badField(`${name}.${missing}`, 'is not a block in this project')
    if (edge.fromBlockId === edge.toBlockId)
      throw badField(`${name}.toBlockId`, 'must not be the same block as fromBlockId')
    if (!isRestoring) checkCondition(edge.condition, `${name}.condition`)
    return !missing
  })
  const find = (id: string, name: string) => {
    requireUnique(id, name)
    const row = affected.edges.get(id)
    if (!row) throw badField(name, 'is not an edge in this project')
    return row
  }
  const changes = new Map<string, Partial<EdgeFields>>()
  for (const [index, { id, ...requested }] of write.update.edges.entries()) {
    const name = fieldOf('update', 'edges', index)
    if (!isRestoring) checkCondition(requested.condition, `${name}.condition`)
    changes.set(find(id, `${name}.id`).id, requested)
  }
  const deleted = new Set(write.delete.edges.map((id, index) => find(id, fieldOf('delete', 'edges', index))))
  const updated: EdgePlan['updated'] = []
  const unchanged: EdgeRow[] = []
  for (const row of affected.edges.values()) {
    const requested = changes.get(row.id)
    const { fromBlockId, toBlockId } = { ...row, ...requested }
    const losesEnd =
      requested?.fromBlockId !== undefined && !(blockExists(fromBlockId) && blockExists(toBlockId))
    const change = requested && differenceOf<EdgeFields>(EDGE_FIELDS, row, requested)
    if (losesEnd || deletedBlocks.has(fromBlockId) || deletedBlocks.has(toBlockId)) deleted.add(row)
    else if (change && !deleted.has(row)) updated.push({ row, change })
    else if (requested) unchanged.push(row)
  }
  return { created, updated, deleted: [...deleted], unchanged }
}

function createUniqueCheck() {
  const seen = new Set<string>()
  return (id: string, name: string) => {
    if (seen.has(id)) throw badField(name, 'is listed twice')
    seen.add(id)
  }
}

/** Returns null if nothing differs. */
function differenceOf<F extends object>(
  fields: readonly (keyof F)[],
  row: F,
  requested: Partial<F>,
): Partial<F> | null {
  let change: Partial<F> | null = null
  for (const field of fields) {
    const value = requested[field]
    if (value === undefined || isSame(row[field], value)) continue
    change ??= {}
    change[field] = value
  }
  return change
}

const isSame = (left: unknown, right: unknown) =>
  left === right || (typeof left === 'object' && isDeepStrictEqual(left, right))

type Texts = Pick<BlockFields, 'title' | 'content' | 'metadata'>

/** Negative if the canvas shrinks. */
export const textGrowth = (blocks: BlockPlan, edges: EdgePlan): number =>
  growthOf(blocks, bytesOf) + growthOf(edges, ({ condition }) => Buffer.byteLength(condition ?? ''))

interface Growing<R> {
  created: R[]
  updated: { row: R; change: Partial<R> }[]
  deleted: R[]
}

function growthOf<R>({ created, updated, deleted }: Growing<R>, bytes: (row: Partial<R>) => number): number {
  const added = created.map(bytes)
  // A move changes no text of a thousand blocks.
  const changed = updated.map(({ row, change }) => bytes(change) - bytes(sameFields(row, change)))
  const removed = deleted.map((row) => -bytes(row))
  return [...added, ...changed, ...removed].reduce((sum, part) => sum + part, 0)
}

function sameFields<R>(row: R, change: Partial<R>): Partial<R> {
  const fields: Partial<R> = {}
  for (const name in change) fields[name] = row[name]
  return fields
}

/** Only these fields can be long. */
const bytesOf = ({ title, content, metadata }: Partial<Texts>): number =>
  Buffer.byteLength(title ?? '') +
  Buffer.byteLength(content ?? '') +
  (metadata === undefined ? 0 : Buffer.byteLength(JSON.stringify(metadata)))

export function stackNewBlocks(write: NormalizedWrite, { zIndexMax }: { zIndexMax: number }): StackedWrite {
  let top = zIndexMax
  const blocks = write.create.blocks.map((block) => {
    if (block.zIndex !== undefined) return { ...block, zIndex: block.zIndex }
    top = Math.min(top + 1, ORDER_MAX)
    return { ...block, zIndex: top }
  })
  return { ...write, create: { ...write.create, blocks } }
}

/** Never decreases, so removing a block costs no search. */
export const highestOrder = (zIndexMax: number, { created, updated }: BlockPlan): number =>
  [...created, ...updated.map(({ change }) => change)].reduce(
    (highest, { zIndex = highest }) => Math.max(highest, zIndex),
    zIndexMax,
  )

/** Clients draw from metadata, so it must be complete. */
function checkFigure({ type, metadata }: Pick<BlockFields, 'type' | 'metadata'>, field: string): void {
  if (type === 'agent') checkBlockSteps(metadata, field)
  if (type === 'shape') requireOneOf(SHAPES, metadata.shape, `${field}.metadata.shape`)
  if (type !== 'drawing') return
  if (metadata.arrows !== undefined) requireOneOf(ARROWS, metadata.arrows, `${field}.metadata.arrows`)
  const { points } = metadata
  if (!Array.isArray(points) || points.length < 2 || points.length > POINTS_MAX)
    throw badField(`${field}.metadata.points`, `must be 2 to ${POINTS_MAX} points`)
  const invalidIndex = points.findIndex((point) => !isPoint(point))
  if (invalidIndex >= 0)
    throw badField(`${field}.metadata.points.${invalidIndex}`, 'must be [x, y], two numbers from 0 to 1')
}

function requireOneOf(names: readonly string[], value: unknown, field: string): void {
  if (!names.includes(value as string)) throw badField(field, `must be one of ${names.join(', ')}`)
}

const isPoint = (point: unknown) =>
  Array.isArray(point) &&
  point.length === 2 &&
  point.every((part) => typeof part === 'number' && part >= 0 && part <= 1)
