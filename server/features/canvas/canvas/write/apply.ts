import type { Context } from '../../../../context.ts'
import { notifyProject } from '../../../../streams/notify.ts'
import { notifyRestoredBlocks } from '../../../agents/runs/runs.ts'
import type { ProjectRow } from '../../../projects/projects/projects.ts'
import { publishChanges } from '../events.ts'
import type { BlockRow, EdgeRow } from '../records.ts'
import type { Author } from './history-entries.ts'
import type { CanvasPlan } from './plan.ts'
import * as queries from './queries.ts'
import { advanceProject, type RecordedPlan, recordPlan } from './record.ts'

export interface WriteResult {
  /** Named, created or moved out of a group. */
  blocks: BlockRow[]
  edges: EdgeRow[]
  deleted: { blocks: string[]; edges: string[] }
  seq: number
  /** Blocks and edges together. */
  counts: { created: number; updated: number; deleted: number }
}

interface ApplyOptions {
  runId: string | null
  /** A larger operation publishes its own event. */
  publishEvents: boolean
  /** Exempt from quotas: an ended run must not stay shown as running. */
  isRuntime: boolean
}

/** One statement per table and kind, pipelined. */
export async function applyPlan(
  ctx: Context<'quotas'>,
  project: ProjectRow,
  plan: CanvasPlan,
  { runId, publishEvents, isRuntime }: ApplyOptions,
): Promise<WriteResult> {
  const now = ctx.now()
  const recorded = await acceptPlan(ctx, project, plan, { runId, now, isRuntime })
  if (recorded.changes.length > 0)
    await Promise.all([
      writeRecorded(ctx, project, recorded, now),
      publishEvents && publishRecorded(ctx, project, recorded, runId),
    ])
  return toWriteResult(project, plan, recorded)
}

/** The caller must write the recorded changes. */
export async function acceptPlan(
  ctx: Context<'quotas'>,
  project: ProjectRow,
  plan: CanvasPlan,
  { runId, now, isRuntime = false }: Pick<Author, 'runId'> & { now: Date; isRuntime?: boolean },
): Promise<RecordedPlan> {
  const at = now.toISOString()
  const userId = ctx.caller.share ? null : ctx.caller.userId
  const recorded = await recordPlan(project, plan, { userId, runId }, at)
  if (recorded.changes.length === 0) return recorded
  if (!isRuntime) await reserveQuotas(ctx, project, plan, recorded)
  advanceProject(project, plan, recorded)
  project.lastActivityAt = at
  return recorded
}

/** Serialized in one event loop turn. */
const BATCH_ROWS = 1000

/** Other work runs in between. References are checked at commit. */
async function inBatches<T>(rows: readonly T[], write: (batch: T[]) => Promise<void>): Promise<void> {
  for (let at = 0; at < rows.length; at += BATCH_ROWS) await write(rows.slice(at, at + BATCH_ROWS))
}

export async function writeRecorded(
  { sql }: Context,
  project: ProjectRow,
  { blocks, edges, entries }: Pick<RecordedPlan, 'blocks' | 'edges' | 'entries'>,
  now: Date,
): Promise<void> {
  const { orgId, id } = project
  notifyProject(sql, orgId, id, { kind: 'change' })
  const agentIds = blocks.created.filter(({ type }) => type === 'agent').map((block) => block.id)
  await Promise.all([
    inBatches(blocks.created, (rows) => queries.insertBlocks(sql, orgId, id, rows)),
    inBatches(blocks.moved, (rows) => queries.updatePositions(sql, orgId, id, rows)),
    inBatches(blocks.updated, (rows) => queries.updateBlocks(sql, orgId, id, rows)),
    inBatches(edges.created, (rows) => queries.insertEdges(sql, orgId, id, rows, now)),
    inBatches(edges.updated, (rows) => queries.updateEdges(sql, orgId, id, rows)),
    queries.deleteEdges(sql, orgId, id, edges.deleted),
    queries.deleteBlocks(sql, orgId, id, blocks.deleted),
    inBatches(entries, (rows) => queries.insertChanges(sql, orgId, id, rows, project, now)),
    notifyRestoredBlocks(sql, orgId, id, agentIds),
  ])
}

export const publishRecorded = (
  ctx: Context,
  project: ProjectRow,
  { changes, blocks }: RecordedPlan,
  runId: string | null,
): Promise<void> =>
  publishChanges(ctx, project, { changes, blocks: [...blocks.created, ...blocks.updated], runId })

export const toWriteResult = (
  { changeSeq }: Pick<ProjectRow, 'changeSeq'>,
  plan: CanvasPlan,
  { blocks, edges }: RecordedPlan,
): WriteResult => ({
  blocks: [...blocks.created, ...blocks.moved, ...blocks.updated, ...plan.blocks.unchanged],
  edges: [...edges.created, ...edges.updated, ...plan.edges.unchanged],
  deleted: { blocks: blocks.deleted, edges: edges.deleted },
  seq: changeSeq,
  counts: {
    created: blocks.created.length + edges.created.length,
    updated: plan.blocks.updated.length + plan.edges.updated.length,
    deleted: blocks.deleted.length + edges.deleted.length,
  },
})

/** Accepts delete-only writes. Guest writes also count as events. */
async function reserveQuotas(
  { sql, caller, quotas }: Context<'quotas'>,
  { orgId }: ProjectRow,
  { blocks, edges }: CanvasPlan,
  { entries }: RecordedPlan,
): Promise<void> {
  const adds = [blocks.created, blocks.updated, edges.created, edges.updated].some(({ length }) => length > 0)
  if (!adds) return
  await quotas.reserve(sql, orgId, {
    blocks: Math.max(0, blocks.created.length - blocks.deleted.length),
    history: entries.reduce((sum, { bytes }) => sum + bytes, 0),
    events: caller.share ? 1 : 0,
  })
}
