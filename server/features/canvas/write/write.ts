import { BLOCKS_MAX, CANVAS_BYTES_MAX, EDGES_MAX } from '../../../../contract/canvas/blocks.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { badField, badRequest } from '../../../errors.ts'
import { lockProject, type ProjectRow } from '../../projects/projects.ts'
import { applyPlan, type WriteResult } from './apply.ts'
import { checkFiles } from './block-file.ts'
import { type CanvasWrite, normalizeIds, type WriteOptions } from './canvas-write.ts'
import { type AffectedItems, loadAffected } from './load-affected.ts'
import { type CanvasPlan, planBlocks, planEdges } from './plan.ts'
import { countItems, isRunning } from './read-queries.ts'
import { growthOf } from './size.ts'

interface WriteCanvasOptions extends Partial<WriteOptions> {
  /** The run that does this, and where the request named it. */
  runId?: string | undefined
  runName?: string
  /** Sees what was read, before anything is decided, and may refuse. */
  check?: (known: AffectedItems) => void
  /** Whether this is all that happens. Otherwise whoever asks for it publishes what it is part of. */
  publishEvents?: boolean
}

/** A change as somebody asks for it, on a transaction of its own. */
export const changeCanvas = (
  ctx: Context,
  projectRef: string,
  write: CanvasWrite,
  options?: WriteCanvasOptions,
) =>
  ctx.transaction(async (inside) =>
    writeCanvas(inside, await lockProject(inside, projectRef), write, { ...options, publishEvents: true }),
  )

/** Every change of a canvas comes through here: checked as a whole, written with its history, all of it or none. */
export async function writeCanvas(
  ctx: Context,
  /** Held by `lockProject`, on the same transaction; its `changeSeq` goes on with what is written. */
  project: ProjectRow,
  given: CanvasWrite,
  options: WriteCanvasOptions = {},
): Promise<WriteResult> {
  const write = normalizeIds(given)
  const nameOf = options.nameOf ?? ((verb, table, index) => `body.${verb}.${table}.${index}`)
  const asked = { ...options, nameOf, isRestoring: options.isRestoring ?? false }
  const [known] = await Promise.all([loadAffected(ctx.sql, project, write), checkRun(ctx, project, options)])
  options.check?.(known)
  const blocks = planBlocks(known, write, asked)
  const plan = { blocks, edges: planEdges(known, write, blocks, asked) }
  await Promise.all([
    checkCapacity(ctx.sql, project, plan),
    asked.isRestoring || checkFiles(ctx.sql, project, known, write, asked),
  ])
  return applyPlan(ctx, project, plan, {
    runId: options.runId ?? null,
    publishEvents: options.publishEvents ?? false,
  })
}

/** A run that has ended can change nothing any more; a guest is not part of any. */
async function checkRun(
  { sql, caller }: Context,
  { orgId, id }: ProjectRow,
  { runId, runName = 'body.runId' }: WriteCanvasOptions,
): Promise<void> {
  if (runId === undefined || (!caller.share && (await isRunning(sql, orgId, id, runId)))) return
  throw badField(runName, 'must be a run of this project that is going on')
}

async function checkCapacity(
  sql: Sql,
  { orgId, id, canvasBytes }: ProjectRow,
  plan: CanvasPlan,
): Promise<void> {
  const { blocks, edges } = plan
  const growth = growthOf(blocks)
  if (growth > 0 && canvasBytes + growth > CANVAS_BYTES_MAX) {
    throw badRequest('A canvas can hold at most 32 MB of text: put what is long into files')
  }
  if (blocks.created.length === 0 && edges.created.length === 0) return
  const count = await countItems(sql, orgId, id)
  const tooMany = (table: 'blocks' | 'edges', max: number) =>
    plan[table].created.length > plan[table].deleted.length &&
    count[table] + plan[table].created.length - plan[table].deleted.length > max
  const full = (what: string, max: number) =>
    badRequest(`A canvas can hold at most ${max.toLocaleString('en-US')} ${what}: remove some first`)
  if (tooMany('blocks', BLOCKS_MAX)) throw full('blocks', BLOCKS_MAX)
  if (tooMany('edges', EDGES_MAX)) throw full('connections', EDGES_MAX)
}
