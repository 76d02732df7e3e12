import type { z } from 'zod'
import type { Table } from '../../../../contract/projects/table-fields.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { type StoredColumn, shownColumns } from './columns.ts'
import type { Cells } from './values.ts'

export type TableFields = z.output<typeof Table>

export interface TableRow extends Omit<TableFields, 'columns' | 'canEdit'> {
  orgId: string
  columns: StoredColumn[]
  access: 'view' | 'edit'
  prunedSeq: number
  hasOutside: boolean
}

export const tableColumns = (sql: Sql): Fragment => sql`
  t.org_id as "orgId", t.id, t.project_id as "projectId", t.name, t.description, t.columns, t.key_column as key,
  t.row_count as "rowCount", t.row_bytes as bytes, t.seq, t.pruned_seq as "prunedSeq", t.has_outside as "hasOutside",
  t.created_by as "createdBy", t.run_id as "runId", t.deleted_at as "deletedAt", t.created_at as "createdAt",
  t.updated_at as "updatedAt"`

/** For table `t`: its name, description or labels are by an untrusted author. */
export const isOutsideTable = (sql: Sql): Fragment => sql`exists (
  select from text_origins o where o.org_id = t.org_id and o.record_id = t.id
    and (o.hash in (text_hash(t.name), text_hash(t.description))
      or o.hash = any(array(select text_hash(l) from unnest(t.labels) l))))`

export const presentTable = (table: TableRow): TableFields => ({
  id: table.id,
  projectId: table.projectId,
  name: table.name,
  description: table.description,
  columns: shownColumns(table.columns).map(presentColumn),
  key: table.key,
  rowCount: table.rowCount,
  bytes: table.bytes,
  seq: table.seq,
  canEdit: table.access === 'edit',
  createdBy: table.createdBy,
  runId: table.runId,
  createdAt: table.createdAt,
  updatedAt: table.updatedAt,
  deletedAt: table.deletedAt,
})

function presentColumn(stored: StoredColumn) {
  const { removedAt: _, ...column } = stored
  return column
}

export interface RowRecord {
  id: string
  cells: Cells
  version: number
  updatedBy: string | null
  runId: string | null
  createdAt: string
  updatedAt: string
}

export const rowColumns = (sql: Sql): Fragment => sql`
  r.id, r.cells, r.seq as version, r.updated_by as "updatedBy", r.run_id as "runId", r.created_at as "createdAt",
  r.updated_at as "updatedAt"`
