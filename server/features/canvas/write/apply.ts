import type { Context } from '../../../context.ts'
import { notifyProject } from '../../../streams/notify.ts'
import type { ProjectRow } from '../../projects/projects.ts'
import { publishChanges } from '../events.ts'
import { type BlockRow, type EdgeRow, fieldsOf, isMove } from '../records.ts'
import { type HistoryEntry, type NewChange, sizeEntries } from './history-entries.ts'
import type { CanvasPlan } from './plan.ts'
import { highestOrder } from './stacking.ts'
import * as queries from './write-queries.ts'

export interface WriteResult {
  /** The current rows of all blocks that the write named, created or moved out of a group. */
  blocks: BlockRow[]
  edges: EdgeRow[]
  deleted: { blocks: string[]; edges: string[] }
  /** The number of the latest change. */
  seq: number
  /** Blocks and edges together. */
  counts: { created: number; updated: number; deleted: number }
}

interface ApplyOptions {
  runId: string | null
  /** False if the change is part of a larger operation, which publishes its own event. */
  publishEvents: boolean
}

/** Applies a plan and records its history: one statement per table and kind, pipelined. */
export async function applyPlan(
  ctx: Context,
  project: ProjectRow,
  plan: CanvasPlan,
  { runId, publishEvents }: ApplyOptions,
): Promise<WriteResult> {
  const { sql, caller } = ctx
  const now = ctx.now()
  const userId = caller.share ? null : caller.userId
  const at = now.toISOString()
  const changes: NewChange[] = []
  const recordChange = (change: Omit<NewChange, 'seq'>) => {
    const seq = project.changeSeq + changes.length + 1
    changes.push({ seq, ...change })
    return seq
  }

  const created = plan.blocks.created.map((block): BlockRow => {
    const after = fieldsOf(block)
    const version = recordChange({ entity: 'block', itemId: block.id, action: 'created', after })
    const metadata = {
      projectId: project.id,
      version,
      createdBy: userId,
      runId,
      createdAt: at,
      updatedAt: at,
    }
    return { id: block.id, ...after, ...metadata }
  })
  const moved: BlockRow[] = []
  const updated: BlockRow[] = []
  for (const { row, change } of plan.blocks.updated) {
    const action = isMove(change) ? 'moved' : 'updated'
    const before = previousValues(row, change)
    const version = recordChange({ entity: 'block', itemId: row.id, action, before, after: change })
    const rows = action === 'moved' ? moved : updated
    // The row was loaded for this write alone, so it is modified: copying a thousand rows takes as long as writing them.
    rows.push(Object.assign(row, change, { version, runId, updatedAt: at }))
  }
  for (const edge of plan.edges.created)
    recordChange({ entity: 'edge', itemId: edge.id, action: 'created', after: edgeFieldsOf(edge) })
  const updatedEdges = plan.edges.updated.map(({ row, change }) => {
    recordChange({
      entity: 'edge',
      itemId: row.id,
      action: 'updated',
      before: previousValues(row, change),
      after: change,
    })
    return { ...row, ...change }
  })
  for (const edge of plan.edges.deleted)
    recordChange({ entity: 'edge', itemId: edge.id, action: 'deleted', before: edgeFieldsOf(edge) })
  for (const block of plan.blocks.deleted)
    recordChange({ entity: 'block', itemId: block.id, action: 'deleted', before: fieldsOf(block) })

  const deleted = { blocks: idsOf(plan.blocks.deleted), edges: idsOf(plan.edges.deleted) }
  if (changes.length > 0) {
    const { orgId, id } = project
    const entries = sizeEntries(changes)
    await reserveQuotas(ctx, project, plan, entries)
    project.changeSeq += changes.length
    project.canvasBytes += plan.growth
    project.blockCount += created.length - plan.blocks.deleted.length
    project.edgeCount += plan.edges.created.length - plan.edges.deleted.length
    project.zIndexMax = highestOrder(project.zIndexMax, plan.blocks)
    project.lastActivityAt = at
    notifyProject(sql, orgId, id, { kind: 'change' })
    await Promise.all([
      queries.insertBlocks(sql, orgId, id, created),
      queries.updatePositions(sql, orgId, id, moved),
      queries.updateBlocks(sql, orgId, id, updated),
      queries.insertEdges(sql, orgId, id, plan.edges.created, now),
      queries.updateEdges(sql, orgId, id, updatedEdges),
      queries.deleteEdges(sql, orgId, id, deleted.edges),
      queries.deleteBlocks(sql, orgId, id, deleted.blocks),
      queries.insertChanges(sql, orgId, id, entries, { userId, runId, project, now }),
      publishEvents && publishChanges(ctx, project, { changes, blocks: [...created, ...updated], runId }),
    ])
  }
  return {
    blocks: [...created, ...moved, ...updated, ...plan.blocks.unchanged],
    edges: [...plan.edges.created, ...updatedEdges, ...plan.edges.unchanged],
    deleted,
    seq: project.changeSeq,
    counts: {
      created: created.length + plan.edges.created.length,
      updated: plan.blocks.updated.length + plan.edges.updated.length,
      deleted: plan.blocks.deleted.length + plan.edges.deleted.length,
    },
  }
}

/** A write that only deletes passes: it is how usage falls. A guest also counts against the events of the organization. */
async function reserveQuotas(
  { sql, caller, quotas }: Context,
  { orgId }: ProjectRow,
  { blocks, edges }: CanvasPlan,
  entries: HistoryEntry[],
): Promise<void> {
  const adds = [blocks.created, blocks.updated, edges.created, edges.updated].some(({ length }) => length > 0)
  if (!adds) return
  await quotas.reserve(sql, orgId, {
    blocks: Math.max(0, blocks.created.length - blocks.deleted.length),
    history: entries.reduce((sum, { bytes }) => sum + bytes, 0),
    events: caller.share ? 1 : 0,
  })
}

/** The values of the changing fields before the change. */
function previousValues<R extends object>(row: R, change: Partial<R>): Partial<R> {
  const before: Partial<R> = {}
  for (const field in change) before[field] = row[field]
  return before
}

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
const edgeFieldsOf = ({ fromBlockId, toBlockId, label }: EdgeRow) => ({ fromBlockId, toBlockId, label })
