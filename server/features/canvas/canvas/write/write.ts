import { setImmediate as nextTurn } from 'node:timers/promises'
import { BLOCKS_MAX, CANVAS_BYTES_MAX, EDGES_MAX } from '../../../../../contract/canvas/blocks.ts'
import { SLICE_ITEMS } from '../../../../concurrency/slices.ts'
import type { Caller, Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { badField, badRequest } from '../../../../errors.ts'
import { isUuid } from '../../../../security/ids.ts'
import { isRunning } from '../../../agents/runs/runs.ts'
import { projectFiles } from '../../../files/files/files.ts'
import { lockProject, type ProjectRow } from '../../../projects/projects/projects.ts'
import type { BlockFields } from '../records.ts'
import { applyPlan, type WriteResult } from './apply.ts'
import {
  type AffectedItems,
  type CanvasWrite,
  loadAffected,
  type NormalizedWrite,
  normalizeIds,
  type WriteOptions,
} from './canvas-write.ts'
import { type CanvasPlan, planBlocks, planEdges, stackNewBlocks, textGrowth } from './plan.ts'

const RUN_FIELD = 'body.runId'

export interface WriteCanvasOptions extends Partial<WriteOptions> {
  runId?: string | undefined
  runField?: string
  /** Runs before planning. May throw. */
  check?: (affected: AffectedItems) => void
  /** A larger operation publishes its own event. */
  publishEvents?: boolean
}

/**
 * Requests the rows together with the lock, which saves a round trip while other writers wait. Statements run in order
 * on new snapshots, so they see the previous writer's changes.
 */
export const changeCanvas = (
  ctx: Context<'quotas'>,
  projectRef: string,
  input: CanvasWrite,
  requested: WriteCanvasOptions = {},
) =>
  ctx.transaction(async (inside) => {
    const options = assignCallerRun(ctx.caller, requested)
    const write = normalizeIds(input)
    const load = ({ orgId, id }: { orgId: string; id: string }) => loadAffected(inside.sql, orgId, id, write)
    const locking = lockProject(inside, projectRef)
    const [project, affected] = await Promise.all([
      locking,
      isUuid(projectRef) ? load({ orgId: ctx.caller.orgId, id: projectRef }) : locking.then(load),
    ])
    return validateAndApply(inside, project, write, affected, { ...options, publishEvents: true })
  })

/** The only way to change a canvas: all or nothing, with history. */
export async function writeCanvas(
  ctx: Context<'quotas'>,
  /** Locked by `lockProject` in the same transaction. Advances its `changeSeq`. */
  project: ProjectRow,
  input: CanvasWrite,
  options: WriteCanvasOptions = {},
): Promise<WriteResult> {
  const write = normalizeIds(input)
  const affected = await loadAffected(ctx.sql, project.orgId, project.id, write)
  // Undoing a run doesn't revert its state.
  const runId = options.isRuntime ? undefined : (options.runId ?? runOf(ctx.caller))
  return validateAndApply(ctx, project, write, affected, { ...options, runId })
}

/** Refuses another run's id. */
export function assignCallerRun(caller: Caller, options: WriteCanvasOptions): WriteCanvasOptions {
  const { runId, runField = RUN_FIELD } = options
  const callerRunId = runOf(caller)
  if (callerRunId === undefined) return options
  if (runId !== undefined && runId.toLowerCase() !== callerRunId)
    throw badField(runField, 'must be the run that makes the change')
  return { ...options, runId: callerRunId }
}

const runOf = ({ via, credentialId }: Caller) => (via === 'run' ? credentialId : undefined)

async function validateAndApply(
  ctx: Context<'quotas'>,
  project: ProjectRow,
  write: NormalizedWrite,
  affected: AffectedItems,
  options: WriteCanvasOptions,
): Promise<WriteResult> {
  const plan = planWrite(project, write, affected, options)
  // Other work runs between planning and recording.
  if (affected.blocks.size > SLICE_ITEMS) await nextTurn()
  await checkReferences(ctx, project, write, affected, options)
  return applyPlan(ctx, project, plan, {
    runId: options.runId ?? null,
    publishEvents: options.publishEvents ?? false,
    isRuntime: options.isRuntime ?? false,
  })
}

export function planWrite(
  project: ProjectRow,
  input: NormalizedWrite,
  affected: AffectedItems,
  options: WriteCanvasOptions,
): CanvasPlan {
  const write = stackNewBlocks(input, project)
  const writeOptions = withDefaults(options)
  options.check?.(affected)
  const blocks = planBlocks(affected, write, writeOptions)
  const edges = planEdges(affected, write, blocks, writeOptions)
  const plan = { blocks, edges, growth: textGrowth(blocks, edges) }
  checkCapacity(project, plan)
  return plan
}

export async function checkReferences(
  ctx: Context,
  project: ProjectRow,
  write: NormalizedWrite,
  affected: AffectedItems,
  options: WriteCanvasOptions,
): Promise<void> {
  await Promise.all([
    checkRun(ctx, project, options),
    options.isRestoring || checkFiles(ctx.sql, project, affected, write, withDefaults(options)),
    ctx.caller.share && checkShownTables(ctx.sql, project, affected, write, withDefaults(options)),
  ])
}

const withDefaults = ({
  fieldOf,
  isRestoring = false,
  isRuntime = false,
}: WriteCanvasOptions): WriteOptions => ({
  fieldOf: fieldOf ?? ((verb, table, index) => `body.${verb}.${table}.${index}`),
  isRestoring,
  isRuntime,
})

/**
 * Only an active run can change the canvas, and a guest can't act for one. A server-executed run can change other
 * projects. An undo's changes belong to a run that ends with them.
 */
async function checkRun(
  { sql, caller }: Context,
  { orgId, id }: ProjectRow,
  { runId, runField = RUN_FIELD, isRestoring }: WriteCanvasOptions,
): Promise<void> {
  if (runId === undefined || isRestoring) return
  const projectId = runId === runOf(caller) ? null : id
  if (!caller.share && (await isRunning(sql, orgId, projectId, runId))) return
  throw badField(runField, 'must be a run in progress in this project')
}

function checkCapacity({ canvasBytes, blockCount, edgeCount }: ProjectRow, plan: CanvasPlan): void {
  const { growth } = plan
  if (growth > 0 && canvasBytes + growth > CANVAS_BYTES_MAX) {
    throw badRequest('A canvas can have at most 32 MB of text: move long texts into files')
  }
  const tooMany = (table: 'blocks' | 'edges', count: number, max: number) => {
    const added = plan[table].created.length - plan[table].deleted.length
    return added > 0 && count + added > max
  }
  const canvasFull = (items: string, max: number) =>
    badRequest(`A canvas can have at most ${max.toLocaleString('en-US')} ${items}: remove some first`)
  if (tooMany('blocks', blockCount, BLOCKS_MAX)) throw canvasFull('blocks', BLOCKS_MAX)
  if (tooMany('edges', edgeCount, EDGES_MAX)) throw canvasFull('edges', EDGES_MAX)
}

/** Only files in the project's own folder. */
async function checkFiles(
  sql: Sql,
  { orgId, id }: ProjectRow,
  affected: AffectedItems,
  write: NormalizedWrite,
  { fieldOf }: WriteOptions,
): Promise<void> {
  const references = [
    ...write.create.blocks.map(({ fileId }, index) => ({ fileId, verb: 'create' as const, index })),
    ...write.update.blocks.map((block, index) => ({
      fileId: affected.blocks.get(block.id)?.fileId === block.fileId ? null : block.fileId,
      verb: 'update' as const,
      index,
    })),
  ]
  const fileIds = new Set(references.flatMap(({ fileId }) => fileId ?? []))
  if (fileIds.size === 0) return
  const found = new Set(await projectFiles.filter(sql, orgId, id, [...fileIds]))
  const invalid = references.find(({ fileId }) => fileId && !found.has(fileId))
  if (invalid)
    throw badField(
      `${fieldOf(invalid.verb, 'blocks', invalid.index)}.fileId`,
      'is not a file in this project',
    )
}

/** A guest can open the tables that the canvas shows, so a guest must not choose which ones it shows. */
async function checkShownTables(
  sql: Sql,
  { orgId, id }: ProjectRow,
  affected: AffectedItems,
  write: NormalizedWrite,
  { fieldOf }: WriteOptions,
): Promise<void> {
  const shown = [
    ...write.create.blocks.map((block, index) => ({
      tableId: tableOf(block),
      verb: 'create' as const,
      index,
    })),
    ...write.update.blocks.map((change, index) => {
      const row = affected.blocks.get(change.id)
      const tableId = row ? tableOf({ ...row, ...change }) : null
      return { tableId: row && tableOf(row) === tableId ? null : tableId, verb: 'update' as const, index }
    }),
  ].filter(({ tableId }) => tableId !== null)
  if (shown.length === 0) return
  const rows = await sql<{ tableId: string }[]>`
    select distinct b.metadata ->> 'tableId' as "tableId" from blocks b
    where b.org_id = ${orgId} and b.project_id = ${id} and b.type = 'table'
      and b.metadata ->> 'tableId' = any(${shown.map(({ tableId }) => tableId)}::text[])`
  const before = new Set(rows.map(({ tableId }) => tableId))
  const invalid = shown.find(({ tableId }) => !before.has(tableId!))
  if (invalid)
    throw badField(
      `${fieldOf(invalid.verb, 'blocks', invalid.index)}.metadata.tableId`,
      'must be a table that the canvas shows: share link guests can’t add others',
    )
}

const tableOf = ({ type, metadata }: Pick<BlockFields, 'type' | 'metadata'>): string | null =>
  type === 'table' && typeof metadata.tableId === 'string' ? metadata.tableId : null
