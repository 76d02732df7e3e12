import type { canvas } from '../../../../../contract/canvas/canvas.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Caller, Context } from '../../../../context.ts'
import { badField, forbidden } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import { releaseRuns } from '../../../agents/runs/runs.ts'
import { auditName, lockProject, type ProjectRow } from '../../../projects/projects/projects.ts'
import * as queries from './prune-queries.ts'
import { insertSnapshot } from './snapshot-queries.ts'

/** Items whose changes one transaction combines: it holds the lock of the canvas. */
const ITEMS_PER_BATCH = 200

/**
 * Reduces the history before a time to the states that people marked with a snapshot and the one at that time. Changes are
 * combined in batches, each exact on its own: an interrupted call leaves a valid history, and another one continues.
 */
export async function pruneHistory(ctx: Context, { projectId, before }: InputOf<typeof canvas.prune>) {
  const until = new Date(before)
  const { id, seq } = await ctx.transaction((inside) => begin(inside, projectId, until))
  const total = { removed: 0, bytes: 0 }
  for (let after: string | null = null, more = seq > 0; more; ) {
    const batch: Batch = await ctx.transaction((inside) => combine(inside, id, seq, after))
    total.removed += batch.removed
    total.bytes += batch.bytes
    after = batch.last
    more = batch.last !== null
  }
  ctx.quotas.forget(ctx.caller.orgId)
  return { ...total, seq }
}

/** From here on, positions up to `seq` other than snapshots cannot be restored. */
async function begin(ctx: Context, ref: string, until: Date): Promise<{ id: string; seq: number }> {
  const { sql, caller } = ctx
  const project = await lockProject(ctx, ref)
  requirePruner(caller, project)
  if (until > ctx.now()) throw badField('body.before', 'must not be in the future')
  const { orgId, id, prunedSeq } = project
  const seq = Math.max(prunedSeq, await queries.findPrunable(sql, orgId, id, until))
  if (seq === prunedSeq) return { id, seq }
  await releaseRuns(sql, orgId, await queries.listRunsUpTo(sql, orgId, id, seq), ctx.now())
  await queries.deleteAutomatic(sql, orgId, id, seq)
  if (!(await queries.hasSnapshotAt(sql, orgId, id, seq))) {
    const snapshot = { id: newId(), seq, reason: 'prune', name: null, createdBy: caller.userId }
    await insertSnapshot(sql, orgId, id, { ...snapshot, now: ctx.now() })
  }
  await queries.updatePruned(sql, orgId, id, seq)
  const details = { ...auditName(project), before: until.toISOString() }
  await recordAudit(ctx, { action: 'project.history-pruned', by: caller, target: id, details })
  return { id, seq }
}

interface Batch {
  removed: number
  bytes: number
  /** Null after the last one. */
  last: string | null
}

async function combine(ctx: Context, ref: string, seq: number, after: string | null): Promise<Batch> {
  const { sql } = ctx
  const { orgId, id } = await lockProject(ctx, ref)
  const ids = await queries.listPrunableItems(sql, orgId, id, { seq, after, limit: ITEMS_PER_BATCH })
  if (ids.length === 0) return { removed: 0, bytes: 0, last: null }
  return { ...(await queries.combineChanges(sql, orgId, id, { seq, ids })), last: ids.at(-1)! }
}

/** Pruning cannot be undone, so members prune only projects of their own. */
function requirePruner({ userId, role }: Caller, project: ProjectRow): void {
  if (role !== 'member' || project.userId === userId) return
  throw forbidden('Only the creator of this project, admins and owners can prune its history', {
    reason: 'not_creator',
  })
}
