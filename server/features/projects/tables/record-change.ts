import { type TABLE_CHANGES, TABLE_LIMITS } from '../../../../contract/projects/table-options.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { ApiError } from '../../../errors.ts'
import { notifyProject } from '../../../streams/notify.ts'
import { publishProjectEvent } from '../projects/projects.ts'
import type { TableRow } from './records.ts'

/** Per call, for its columns and indexes. */
const CHANGE_BYTES = 200

export interface RowCounts {
  created: number
  updated: number
  deleted: number
  /** By which all values grew. */
  bytes: number
}

export const NO_ROWS: RowCounts = { created: 0, updated: 0, deleted: 0, bytes: 0 }

export interface NewChange {
  /** Reserved by `nextSeq`, and in the rows’ history already. */
  seq: number
  kind: (typeof TABLE_CHANGES)[number]
  rows: RowCounts
  /** Changed settings. */
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  undoes?: number
  /** The undo of a run is a run of its own. */
  runId?: string
}

/** The table must be locked. */
export const nextSeq = ({ seq }: TableRow): number => seq + 1

/** Who changed it: nobody for a guest, and the run for a run. */
export const writerOf = ({ caller }: Pick<Context, 'caller'>) => ({
  userId: caller.share ? null : caller.userId,
  runId: caller.via === 'run' ? caller.credentialId : null,
})

/** Counts the call, publishes its one event and tells live clients. */
export async function recordChange(
  ctx: Context<'quotas'>,
  table: TableRow,
  { seq, kind, rows, before = {}, after = {}, undoes, runId: undoRunId }: NewChange,
): Promise<void> {
  const { sql } = ctx
  const { orgId, id, projectId } = table
  const writer = writerOf(ctx)
  const runId = undoRunId ?? writer.runId
  requireSpace(table, rows)
  const bytes =
    CHANGE_BYTES +
    Buffer.byteLength(JSON.stringify([before, after])) +
    (await historyBytes(sql, orgId, id, seq))
  await reserve(ctx, rows, bytes)
  const now = ctx.now()
  await sql`
    with counted as (
      update project_tables set seq = ${seq}, row_count = row_count + ${rows.created - rows.deleted}::integer,
        row_bytes = row_bytes + ${rows.bytes}::bigint, updated_at = ${now}
      where org_id = ${orgId} and id = ${id}
    ), undone as (
      update table_changes set undone_by = ${seq}
      where org_id = ${orgId} and table_id = ${id} and seq = ${undoes ?? null}::bigint
    )
    insert into table_changes (org_id, table_id, seq, kind, rows_created, rows_updated, rows_deleted, before, after, user_id,
      run_id, undoes, bytes, created_at)
    values (${orgId}, ${id}, ${seq}, ${kind}, ${rows.created}, ${rows.updated}, ${rows.deleted}, ${sql.json(before)},
      ${sql.json(after)}, ${writer.userId}, ${runId}, ${undoes ?? null}, ${bytes}, ${now})`
  table.seq = seq
  const { created, updated, deleted } = rows
  const data = { tableId: id, seq, change: kind, rows: { created, updated, deleted }, runId }
  await publishProjectEvent(ctx, eventOf(kind), { id: projectId }, data)
  notifyProject(sql, orgId, projectId, { kind: 'table', tableId: id, seq })
}

function eventOf(kind: NewChange['kind']) {
  if (kind === 'created' || kind === 'restored') return 'project.table.created'
  return kind === 'deleted' ? 'project.table.deleted' : 'project.table.updated'
}

async function historyBytes(sql: Sql, orgId: string, tableId: string, seq: number): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select coalesce(sum(64 + coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0)), 0)::bigint
      as bytes
    from table_row_changes where org_id = ${orgId} and table_id = ${tableId} and seq = ${seq}`
  return row!.bytes
}

function requireSpace(table: TableRow, { created, deleted, bytes }: RowCounts): void {
  const rows = table.rowCount + created - deleted
  if (created > deleted && rows > TABLE_LIMITS.rows)
    throw full(
      `A table can have ${TABLE_LIMITS.rows.toLocaleString('en-US')} rows: it has ${table.rowCount.toLocaleString('en-US')}, and this adds ${(created - deleted).toLocaleString('en-US')}`,
    )
  if (bytes > 0 && table.bytes + bytes > TABLE_LIMITS.bytes)
    throw full(`A table’s values can take ${TABLE_LIMITS.bytes.toLocaleString('en-US')} bytes`)
}

const full = (message: string) => new ApiError('CONFLICT', message, { details: { reason: 'table_full' } })

async function reserve(
  { quotas, sql, caller }: Context<'quotas'>,
  { created, deleted, bytes }: RowCounts,
  history: number,
): Promise<void> {
  await quotas.reserve(sql, caller.orgId, {
    tableRows: Math.max(0, created - deleted),
    tableBytes: Math.max(0, bytes),
    history,
  })
}
