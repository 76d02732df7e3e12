import type { canvas } from '../../../../../contract/canvas/canvas.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Caller, Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { badField, forbidden } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import { releaseRuns } from '../../../agents/runs/runs.ts'
import { auditName, lockProject, type ProjectRow } from '../../../projects/projects/projects.ts'
import { ENTRY_BYTES } from '../write/history-entries.ts'
import { insertSnapshot } from './snapshots.ts'

/** The transaction holds the canvas lock. */
const ITEMS_PER_BATCH = 200

/**
 * Keeps members' snapshots and the state at that time. Each batch is exact on its own, so an interrupted call leaves a
 * valid history that another can continue.
 */
export async function pruneHistory(
  ctx: Context<'quotas'>,
  { projectId, before }: InputOf<typeof canvas.prune>,
) {
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

/** Positions up to `seq` can't be restored from here on, except snapshots. */
async function begin(ctx: Context, ref: string, until: Date): Promise<{ id: string; seq: number }> {
  const { sql, caller } = ctx
  const project = await lockProject(ctx, ref)
  requirePruner(caller, project)
  if (until > ctx.now()) throw badField('body.before', 'must not be in the future')
  const { orgId, id, prunedSeq } = project
  const seq = Math.max(prunedSeq, await findPrunable(sql, orgId, id, until))
  if (seq === prunedSeq) return { id, seq }
  await releaseRuns(sql, orgId, await listRunsUpTo(sql, orgId, id, seq), ctx.now())
  await deleteAutomatic(sql, orgId, id, seq)
  if (!(await hasSnapshotAt(sql, orgId, id, seq))) {
    const snapshot = { id: newId(), seq, reason: 'prune', name: null, createdBy: caller.userId }
    await insertSnapshot(sql, orgId, id, { ...snapshot, now: ctx.now() })
  }
  await updatePruned(sql, orgId, id, seq)
  const details = { ...auditName(project), before: until.toISOString() }
  await recordAudit(ctx, { action: 'project.history-pruned', by: caller, target: id, details })
  return { id, seq }
}

interface Batch {
  removed: number
  bytes: number
  last: string | null
}

async function combine(ctx: Context, ref: string, seq: number, after: string | null): Promise<Batch> {
  const { sql } = ctx
  const { orgId, id } = await lockProject(ctx, ref)
  const ids = await listPrunableItems(sql, orgId, id, { seq, after, limit: ITEMS_PER_BATCH })
  if (ids.length === 0) return { removed: 0, bytes: 0, last: null }
  return { ...(await combineChanges(sql, orgId, id, { seq, ids })), last: ids.at(-1)! }
}

/** Pruning can't be undone, so members prune only their own projects. */
function requirePruner({ userId, role }: Caller, project: ProjectRow): void {
  if (role !== 'member' || project.userId === userId) return
  throw forbidden('Only this project’s creator, admins and owners can prune its history', {
    reason: 'not_creator',
  })
}

/** Stops before an active run's first change, since it can still be reverted. */
async function findPrunable(sql: Sql, orgId: string, projectId: string, before: Date): Promise<number> {
  const [row] = await sql<{ seq: number }[]>`
    select coalesce(max(c.seq), 0) as seq from canvas_changes c
    where c.org_id = ${orgId} and c.project_id = ${projectId} and c.created_at < ${before} and c.seq < coalesce((
      select min(a.seq) from runs r join canvas_changes a on a.org_id = r.org_id and a.run_id = r.id
      where r.org_id = ${orgId} and r.status in ('queued', 'running', 'waiting') and a.project_id = ${projectId}
    ), ${Number.MAX_SAFE_INTEGER}::bigint)`
  return row!.seq
}

async function listRunsUpTo(sql: Sql, orgId: string, projectId: string, seq: number) {
  const rows = await sql<{ id: string }[]>`
    select distinct run_id as id from canvas_changes
    where org_id = ${orgId} and project_id = ${projectId} and run_id is not null and seq <= ${seq}`
  return rows.map(({ id }) => id)
}

/** Keeps snapshots that members took. */
const deleteAutomatic = (sql: Sql, orgId: string, projectId: string, seq: number) => sql`
  delete from snapshots
  where org_id = ${orgId} and project_id = ${projectId} and seq < ${seq} and name is null and reason <> 'manual'`

const updatePruned = (sql: Sql, orgId: string, projectId: string, seq: number) => sql`
  update projects set pruned_seq = ${seq} where org_id = ${orgId} and id = ${projectId}`

/** Only items with more than one change. */
async function listPrunableItems(
  sql: Sql,
  orgId: string,
  projectId: string,
  { seq, after, limit }: { seq: number; after: string | null; limit: number },
) {
  const rows = await sql<{ id: string }[]>`
    select item_id as id from canvas_changes
    where org_id = ${orgId} and project_id = ${projectId} and seq <= ${seq}
      ${after ? sql`and item_id > ${after}` : sql``}
    group by item_id having count(*) > 1 order by item_id limit ${limit}`
  return rows.map(({ id }) => id)
}

/**
 * Keeps the values before the first and after the last change between two snapshots. Drops items created and deleted in
 * between. Returns the removed changes.
 */
async function combineChanges(
  sql: Sql,
  orgId: string,
  projectId: string,
  { seq, ids }: { seq: number; ids: string[] },
): Promise<{ removed: number; bytes: number }> {
  const [row] = await sql<{ removed: number; bytes: number }[]>`
    with points as materialized (
      select distinct seq from snapshots where org_id = ${orgId} and project_id = ${projectId} and seq <= ${seq}
    ), changes as materialized (
      select c.*, (select min(p.seq) from points p where p.seq >= c.seq) as point from canvas_changes c
      where c.org_id = ${orgId} and c.project_id = ${projectId} and c.item_id = any(${ids}::uuid[]) and c.seq <= ${seq}
    ), several as materialized (
      select point, item_id, max(seq) as last, sum(bytes) as bytes, count(distinct run_id) = 1 and count(run_id) = count(*) as is_one_run,
        (array_agg(action order by seq))[1] as first_action, (array_agg(action order by seq desc))[1] as last_action,
        bool_and(action = 'moved') as is_move
      from changes group by point, item_id having count(*) > 1
    ), combined as materialized (
      select s.*, s.first_action = 'created' and s.last_action = 'deleted' as is_gone, exists (
          -- A text that no later change of a member replaced: its author must not become the author of the last change.
          select from changes c left join runs r on r.org_id = c.org_id and r.id = c.run_id
          cross join lateral unnest(array['title', 'content', 'metadata']) f (field)
          where c.item_id = s.item_id and c.point is not distinct from s.point and c.after ? f.field
            and (c.user_id is null or r.trust <> 'trusted') and not exists (
              select from changes n where n.item_id = c.item_id and n.point is not distinct from c.point
                and n.seq > c.seq and n.after ? f.field)) as is_outside, case
          when s.first_action = 'created' then 'created' when s.last_action = 'deleted' then 'deleted'
          when s.is_move then 'moved' else 'updated' end as action,
        case when s.first_action <> 'created' then (
          select jsonb_object_agg(was.key, was.value order by c.seq desc) from changes c, jsonb_each(c.before) was
          where c.item_id = s.item_id and c.point = s.point) end as before,
        case when s.last_action <> 'deleted' then (
          select jsonb_object_agg(value.key, value.value order by c.seq) from changes c, jsonb_each(c.after) value
          where c.item_id = s.item_id and c.point = s.point) end as after
      from several s
    ), removed as (
      delete from canvas_changes d using changes c join combined m on m.item_id = c.item_id and m.point = c.point
      where d.org_id = ${orgId} and d.project_id = ${projectId} and d.seq = c.seq and (m.is_gone or c.seq <> m.last)
      returning d.seq
    ), changed as (
      update canvas_changes u set action = m.action, before = m.before, after = m.after, began_at = null,
        run_id = case when m.is_one_run then u.run_id end,
        user_id = case when not m.is_one_run and m.is_outside then null else u.user_id end,
        bytes = ${ENTRY_BYTES} + coalesce(octet_length(m.before::text), 0) + coalesce(octet_length(m.after::text), 0)
      from combined m
      where u.org_id = ${orgId} and u.project_id = ${projectId} and u.seq = m.last and not m.is_gone
      returning u.bytes
    ), freed as (
      select coalesce((select sum(bytes) from combined), 0) - coalesce((select sum(bytes) from changed), 0) as bytes
    ), counted as (
      update projects p set history_bytes = greatest(0, p.history_bytes - freed.bytes) from freed
      where p.org_id = ${orgId} and p.id = ${projectId}
    )
    select (select count(*) from removed)::int as removed, (select bytes from freed)::bigint as bytes`
  return row!
}

export async function listSnapshotsAt(sql: Sql, orgId: string, projectId: string, seqs: number[]) {
  const rows = await sql<{ seq: number }[]>`
    select distinct seq from snapshots
    where org_id = ${orgId} and project_id = ${projectId} and seq = any(${seqs}::bigint[])`
  return rows.map(({ seq }) => seq)
}

export const hasSnapshotAt = async (sql: Sql, orgId: string, projectId: string, seq: number) =>
  (await listSnapshotsAt(sql, orgId, projectId, [seq])).length > 0
