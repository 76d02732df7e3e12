import type { ProjectRow } from '../../../projects/projects/projects.ts'
import { type BlockRow, type EdgeRow, isMove, pickBlockFields } from '../records.ts'
import { type Author, buildHistoryEntries, type HistoryEntry, type NewChange } from './history-entries.ts'
import { type CanvasPlan, highestOrder } from './plan.ts'

export interface RecordedPlan {
  blocks: { created: BlockRow[]; moved: BlockRow[]; updated: BlockRow[]; deleted: string[] }
  edges: { created: EdgeRow[]; updated: EdgeRow[]; deleted: string[] }
  changes: NewChange[]
  entries: HistoryEntry[]
}

export async function recordPlan(
  project: ProjectRow,
  plan: CanvasPlan,
  author: Author,
  at: string,
): Promise<RecordedPlan> {
  const { userId, runId } = author
  const changes: NewChange[] = []
  const recordChange = (change: Omit<NewChange, 'seq'>) => {
    const seq = project.changeSeq + changes.length + 1
    changes.push({ seq, ...change })
    return seq
  }

  const created = plan.blocks.created.map((block): BlockRow => {
    const after = pickBlockFields(block)
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
    // Modified in place: copying a thousand rows takes as long as writing them.
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
    recordChange({ entity: 'block', itemId: block.id, action: 'deleted', before: pickBlockFields(block) })
  return {
    blocks: { created, moved, updated, deleted: idsOf(plan.blocks.deleted) },
    edges: { created: plan.edges.created, updated: updatedEdges, deleted: idsOf(plan.edges.deleted) },
    changes,
    entries: await buildHistoryEntries(changes, author),
  }
}

export function advanceProject(project: ProjectRow, plan: CanvasPlan, { changes }: RecordedPlan): void {
  project.changeSeq += changes.length
  project.canvasBytes += plan.growth
  project.blockCount += plan.blocks.created.length - plan.blocks.deleted.length
  project.edgeCount += plan.edges.created.length - plan.edges.deleted.length
  project.zIndexMax = highestOrder(project.zIndexMax, plan.blocks)
}

function previousValues<R extends object>(row: R, change: Partial<R>): Partial<R> {
  const before: Partial<R> = {}
  for (const field in change) before[field] = row[field]
  return before
}

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
const edgeFieldsOf = ({ fromBlockId, toBlockId, label, condition, style }: EdgeRow) => ({
  fromBlockId,
  toBlockId,
  label,
  condition,
  style,
})
