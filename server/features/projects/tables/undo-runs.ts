import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { findTable, lockTable } from './access.ts'
import { changeSettings, setDeleted } from './manage.ts'
import { nextSeq, recordChange } from './record-change.ts'
import type { TableRow } from './records.ts'
import { countEditedSince, isUndone, revertRows } from './revert-rows.ts'
import { revertSettings, type SettingsChange } from './revert-settings.ts'

export interface TableUndo {
  table: TableRow
  /** Of the runs, newest first. */
  changes: RunTableChange[]
  action: 'reverted' | 'recreated' | 'removed' | 'skipped'
  reason: 'edited_since' | 'purged' | 'in_use' | null
}

/** Locks in id order, after the projects. The caller must be able to edit every changed table. */
export async function planTableUndo(
  ctx: Context,
  runIds: readonly string[],
  { lock }: { lock: boolean },
): Promise<TableUndo[]> {
  const { sql } = ctx
  const { orgId } = ctx.caller
  const plans: TableUndo[] = []
  for (const { id, isDeleted } of await listChangedTables(sql, orgId, runIds)) {
    const table = lock
      ? await lockTable(ctx, id, { isDeleted })
      : await findTable(ctx, id, 'edit', { isDeleted })
    const changes = await listRunChanges(sql, orgId, id, runIds)
    plans.push({ table, changes, ...(await planOne(ctx, table, changes)) })
  }
  return plans
}

async function planOne(
  ctx: Context,
  table: TableRow,
  changes: readonly RunTableChange[],
): Promise<Pick<TableUndo, 'action' | 'reason'>> {
  const { sql } = ctx
  const { orgId, id, deletedAt, prunedSeq } = table
  const first = changes.at(-1)!.seq
  if (first <= prunedSeq) return { action: 'skipped', reason: 'purged' }
  const lifecycle = lifecycleOf(changes)
  const isEdited = await hasOtherChanges(sql, orgId, id, {
    seqs: changes.map(({ seq }) => seq),
    first,
    isWhole: lifecycle !== null,
  })
  if (lifecycle === 'created')
    return deletedAt === null
      ? { action: 'removed', reason: isEdited ? 'edited_since' : null }
      : { action: 'skipped', reason: null }
  if (lifecycle === 'deleted' && deletedAt !== null) {
    const taken = await isNameTaken(sql, orgId, table)
    return taken ? { action: 'skipped', reason: 'in_use' } : { action: 'recreated', reason: null }
  }
  if (deletedAt !== null) return { action: 'skipped', reason: 'edited_since' }
  const settings = revertSettings(table, changes, ctx.now())
  return { action: 'reverted', reason: isEdited || settings.isEdited ? 'edited_since' : null }
}

/** What the runs did to the table as a whole. */
function lifecycleOf(changes: readonly RunTableChange[]): 'created' | 'deleted' | null {
  const [first, last] = [changes.at(-1)!.kind, changes[0]!.kind]
  if (first === 'created' || first === 'restored') return 'created'
  return last === 'deleted' ? 'deleted' : null
}

/** The changes have the undo's run id, so it can be undone too. */
export async function applyTableUndo(
  ctx: Context<'quotas'>,
  plans: readonly TableUndo[],
  undoRunId: string,
): Promise<void> {
  const { caller } = ctx
  for (const { table, changes, action } of plans) {
    if (action === 'skipped') continue
    const runId = undoRunId
    if (action === 'removed') {
      await setDeleted(ctx, table, true, { runId })
      continue
    }
    if (action === 'recreated') await setDeleted(ctx, table, false, { runId })
    const { fields } = revertSettings(table, changes, ctx.now())
    await changeSettings(ctx, table, fields, { runId })
    const seq = nextSeq(table)
    const { orgId, id } = table
    const seqs = changes.map((change) => change.seq)
    const stamp = { seq, key: fields.key, userId: caller.userId, runId, now: ctx.now() }
    const rows = await revertRows(ctx.sql, orgId, id, seqs, stamp)
    if (rows.created + rows.updated + rows.deleted > 0)
      await recordChange(ctx, table, { seq, kind: 'undone', rows, runId })
  }
}

interface RunTableChange extends SettingsChange {
  seq: number
  kind: string
}

/** Newest first. */
const listRunChanges = (sql: Sql, orgId: string, tableId: string, runIds: readonly string[]) => sql<
  RunTableChange[]
>`
  select seq, kind, before, after from table_changes
  where org_id = ${orgId} and run_id = any(${[...runIds]}::uuid[]) and table_id = ${tableId} order by seq desc`

const listChangedTables = (sql: Sql, orgId: string, runIds: readonly string[]) => sql<
  { id: string; isDeleted: boolean }[]
>`
  select t.id, t.deleted_at is not null as "isDeleted" from project_tables t
  where t.org_id = ${orgId} and t.id = any(array(
    select c.table_id from table_changes c where c.org_id = ${orgId} and c.run_id = any(${[...runIds]}::uuid[])))
  order by t.id`

interface OtherChanges {
  seqs: number[]
  first: number
  /** Any other change counts, not only one to the same rows. */
  isWhole: boolean
}

async function hasOtherChanges(
  sql: Sql,
  orgId: string,
  tableId: string,
  { seqs, first, isWhole }: OtherChanges,
): Promise<boolean> {
  if (!isWhole) return (await countEditedSince(sql, orgId, tableId, seqs)) > 0
  const rows = await sql`
    select from table_changes h
    where h.org_id = ${orgId} and h.table_id = ${tableId} and h.seq > ${first} and h.seq <> all(${seqs}::bigint[])
      and not ${isUndone(sql)} limit 1`
  return rows.length > 0
}

async function isNameTaken(sql: Sql, orgId: string, { projectId, id }: TableRow): Promise<boolean> {
  const rows = await sql`
    select from project_tables t
    join project_tables o on o.org_id = t.org_id and o.project_id = t.project_id and o.search_key = t.search_key
      and o.deleted_at is null
    where t.org_id = ${orgId} and t.project_id = ${projectId} and t.id = ${id} and o.id <> t.id`
  return rows.length > 0
}

interface ChangePage {
  after: string | null
  limit: number
  /** Tables that the caller sees. */
  projectIds: readonly string[]
}

/** One item for each table. */
export async function listTableChanges(
  sql: Sql,
  orgId: string,
  runIds: readonly string[],
  { after, limit, projectIds }: ChangePage,
) {
  const rows = await sql<ChangedTable[]>`
    select t.id, t.project_id as "projectId", t.name, sum(c.rows_created)::integer as created,
      sum(c.rows_updated)::integer as updated, sum(c.rows_deleted)::integer as deleted,
      bool_or(c.kind in ('created', 'restored')) as "isNew", bool_or(c.kind = 'deleted') as "isGone",
      coalesce(jsonb_agg(c.before order by c.seq desc) filter (where c.before <> '{}'), '[]') as befores,
      coalesce(jsonb_agg(c.after order by c.seq) filter (where c.after <> '{}'), '[]') as afters
    from table_changes c join project_tables t on t.org_id = c.org_id and t.id = c.table_id
    where c.org_id = ${orgId} and c.run_id = any(${[...runIds]}::uuid[]) and t.project_id = any(${[...projectIds]}::uuid[])
      and ${after === null ? sql`true` : sql`t.id > ${after}`}
    group by t.id, t.project_id, t.name order by t.id limit ${limit}`
  return rows.map(({ id, projectId, name, isNew, isGone, befores, afters, ...rowCounts }) => {
    const action = isNew ? ('created' as const) : isGone ? ('deleted' as const) : ('updated' as const)
    const before = isNew ? null : Object.assign({}, ...befores)
    const after = isGone ? null : { ...Object.assign({}, ...afters), rows: rowCounts }
    return { id, projectId, name, action, before, after }
  })
}

interface ChangedTable {
  id: string
  projectId: string
  name: string
  created: number
  updated: number
  deleted: number
  isNew: boolean
  isGone: boolean
  befores: Record<string, unknown>[]
  afters: Record<string, unknown>[]
}

/** Projects of tables that the runs changed. */
export async function listTableProjects(
  sql: Sql,
  orgId: string,
  runIds: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct t.project_id as id
    from table_changes c join project_tables t on t.org_id = c.org_id and t.id = c.table_id
    where c.org_id = ${orgId} and c.run_id = any(${[...runIds]}::uuid[])`
  return rows.map(({ id }) => id)
}
