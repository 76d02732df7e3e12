import { isDeepStrictEqual } from 'node:util'
import { toDisplayName } from '../../../../../contract/display-name.ts'
import { TABLE_LIMITS } from '../../../../../contract/projects/table-options.ts'
import type { Context } from '../../../../context.ts'
import { toSearchKey } from '../../../../database/name-keys.ts'
import { badField } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import { lockTable } from '../access.ts'
import { shownColumns } from '../columns.ts'
import { convertCells } from '../convert.ts'
import { updateKey } from '../key.ts'
import { changeSettings, type NewTable, nameTaken, setDeleted, tooManyTables } from '../manage.ts'
import * as queries from '../queries.ts'
import { NO_ROWS, nextSeq, type RowCounts, recordChange, writerOf } from '../record-change.ts'
import type { TableRow } from '../records.ts'
import { announceViews } from '../views.ts'
import { isConverted, mergeColumns, parseColumns } from './merge-columns.ts'
import {
  type ManifestTable,
  readProjectTables,
  type StoredTable,
  type StoredView,
  type TableIds,
} from './portable-tables.ts'
import { asOutside, changeGivenRows, type GivenRows, insertGivenRows } from './restore-rows.ts'
import { restoreViews } from './restore-views.ts'

type Mode = 'merge' | 'replace'

export interface TableOutcome {
  action: 'create' | 'update' | 'delete' | 'none'
  /** The manifest's for a new table, since a dry run has no other. */
  id: string
  title: string
  /** Changed settings. */
  fields: string[]
  rows: { created: number; updated: number; deleted: number }
}

interface Restored {
  outcomes: TableOutcome[]
  /** Ids here by ids in the manifest. */
  ids: TableIds
  /** Differs if a table has changed. */
  state: string
}

interface Given {
  tables: readonly ManifestTable[]
  mode: Mode
  /** Files here by their ids in the manifest. Null if the content doesn't exist here. */
  files: ReadonlyMap<string, string | null>
}

/**
 * The project must be locked. Each change is in its table's history, so it can be undone. `replace` deletes tables that
 * the manifest doesn't have; they can be restored like any deleted table.
 */
export async function restoreTables(
  ctx: Context<'quotas'>,
  projectId: string,
  { tables, mode, files }: Given,
): Promise<Restored> {
  const { sql, caller } = ctx
  const current = await readProjectTables(sql, caller.orgId, projectId, 'update')
  const all = [...current.tables, ...current.deleted]
  const existing = new Map(all.map((table) => [table.manifestId, table]))
  const state = JSON.stringify(all.map(({ id, seq }) => [id, seq]))
  const named = new Set(tables.map(({ id }) => id))
  const others = current.tables.filter(({ manifestId }) => !named.has(manifestId))
  const outcomes: TableOutcome[] = []
  if (mode === 'replace')
    for (const table of others) {
      await setDeleted(ctx, asTableRow(table), true)
      outcomes.push({ action: 'delete', id: table.id, title: table.name, fields: [], rows: NO_ROWS })
    }
  const names = checkNames(tables, mode === 'merge' ? others : [])
  const renamed = tables.flatMap(({ id }, index) => {
    const stored = existing.get(id)
    return stored && toSearchKey(stored.name) !== toSearchKey(names[index]!) ? stored.id : []
  })
  if (renamed.length > 0) await queries.parkNames(sql, caller.orgId, renamed)
  // A column may link to a deleted table, which returns.
  const ids = new Map(all.map(({ manifestId, id }) => [manifestId, id]))
  for (const { id } of tables) if (!ids.has(id)) ids.set(id, newId())
  const views = new Map<string, string>()
  for (const [index, table] of tables.entries()) {
    const path = `body.tables.${index}`
    const { columns, skipped } = parseColumns(table, ids, path)
    const fields = { name: names[index]!, description: table.description || null, columns, key: table.key }
    const rows = { parts: table.rows, columns, skipped, key: table.key, files, path }
    const target: Target = { id: ids.get(table.id)!, projectId, table, fields, rows, views }
    const stored = existing.get(table.id)
    outcomes.push(
      stored ? await restoreTable(ctx, stored, current.views, target, mode) : await createTable(ctx, target),
    )
  }
  return { outcomes, ids: { tables: ids, views }, state }
}

/** The project's lock grants the access. */
const asTableRow = (table: StoredTable): TableRow => ({ ...table, access: 'edit' })

function checkNames(tables: readonly ManifestTable[], others: readonly StoredTable[]): string[] {
  if (tables.length + others.length > TABLE_LIMITS.tables) throw tooManyTables()
  const taken = new Map(others.map(({ id, name }) => [toSearchKey(name), id]))
  const names: string[] = []
  for (const [index, table] of tables.entries()) {
    const name = toDisplayName(table.name, TABLE_LIMITS.name) || 'Table'
    const other = taken.get(toSearchKey(name))
    if (other !== undefined) throw nameTaken(name, other)
    if (names.some((earlier) => toSearchKey(earlier) === toSearchKey(name)))
      throw badField(`body.tables.${index}.name`, 'is a duplicate')
    names.push(name)
  }
  return names
}

interface Target {
  id: string
  projectId: string
  table: ManifestTable
  fields: NewTable
  rows: GivenRows
  /** Views restored so far. */
  views: Map<string, string>
}

async function createTable(
  ctx: Context<'quotas'>,
  { id, projectId, table, fields, rows, views }: Target,
): Promise<TableOutcome> {
  const { sql, caller } = ctx
  const stamp = { ...writerOf(ctx), now: ctx.now() }
  const insert = () =>
    queries.insertTable(sql, caller.orgId, { ...fields, id, manifestId: table.id, projectId, ...stamp })
  await asOutside(ctx, table.outside === true, insert)
  const created = await lockTable(ctx, id)
  const { seq, key } = created
  const counts = await insertGivenRows(ctx, created, rows, { ...stamp, seq, key })
  await restoreViews(ctx, created, { views: table.views, existing: [], ids: views, deletesOthers: false })
  const after = { name: fields.name, columns: fields.columns }
  await recordChange(ctx, created, { seq, kind: 'created', rows: counts, after })
  return { action: 'create', id: table.id, title: fields.name, fields: [], rows: pickCounts(counts) }
}

async function restoreTable(
  ctx: Context<'quotas'>,
  stored: StoredTable,
  storedViews: readonly StoredView[],
  { table, fields: given, rows, views }: Target,
  mode: Mode,
): Promise<TableOutcome> {
  const target = asTableRow(stored)
  const { id, name, deletedAt } = target
  if (deletedAt !== null) {
    // Another table may have its former name.
    await setDeleted(ctx, Object.assign(target, { name: given.name }), false)
    target.name = name
  }
  const merged = mergeColumns(target.columns, given.columns, mode, ctx.now())
  const hasSameColumns = isDeepStrictEqual(shownColumns(target.columns), shownColumns(merged))
  const fields = { ...given, columns: hasSameColumns ? target.columns : merged }
  const changed: string[] = (['name', 'description', 'columns', 'key'] as const).filter(
    (field) => !isDeepStrictEqual(target[field], fields[field]),
  )
  if (deletedAt !== null) changed.unshift('deletedAt')
  // The key is set after the rows, which have its values.
  const settings = { ...fields, key: target.key }
  await asOutside(ctx, table.outside === true, () => changeColumns(ctx, target, settings))
  Object.assign(target, settings)
  const counts = await changeRows(ctx, target, rows, mode)
  const isChanged = counts.created + counts.updated + counts.deleted > 0
  if (target.key !== fields.key) await changeSettings(ctx, target, fields)
  else if (isChanged && fields.key !== null) await updateKey(ctx, target, fields)
  const hasViews = await restoreViews(ctx, target, {
    views: table.views,
    existing: storedViews.filter(({ tableId }) => tableId === id),
    ids: views,
    deletesOthers: mode === 'replace',
  })
  if (hasViews) announceViews(ctx.sql, target)
  if (hasViews) changed.push('views')
  const action = changed.length > 0 || isChanged ? 'update' : 'none'
  return { action, id, title: fields.name, fields: changed, rows: pickCounts(counts) }
}

/** Converts the cells of columns that get another type. */
async function changeColumns(ctx: Context<'quotas'>, table: TableRow, fields: NewTable): Promise<void> {
  const converted = fields.columns.flatMap((after) => {
    const before = table.columns.find(({ id }) => id === after.id)
    return before && isConverted(before, after) ? [{ before, after }] : []
  })
  if (converted.length === 0) return changeSettings(ctx, table, fields)
  const { orgId, id, name, description, columns } = table
  const seq = nextSeq(table)
  let rows = NO_ROWS
  for (const column of converted) {
    const stamp = { seq, key: null, ...writerOf(ctx), now: ctx.now() }
    const written = await convertCells(ctx, table, { ...column, stamp })
    rows = { ...rows, updated: rows.updated + written.rows.updated, bytes: rows.bytes + written.rows.bytes }
  }
  await queries.updateTable(ctx.sql, orgId, id, { ...fields, now: ctx.now() })
  await recordChange(ctx, table, {
    ...{ seq, kind: 'converted', rows, before: { name, description, columns } },
    after: { name: fields.name, description: fields.description, columns: fields.columns },
  })
}

async function changeRows(
  ctx: Context<'quotas'>,
  table: TableRow,
  given: GivenRows,
  mode: Mode,
): Promise<RowCounts> {
  const seq = nextSeq(table)
  const stamp = { seq, ...writerOf(ctx), now: ctx.now() }
  const deletesOthers = mode === 'replace'
  const { unchanged: _, ...rows } = await changeGivenRows(ctx, table, given, { stamp, deletesOthers })
  if (rows.created + rows.updated + rows.deleted > 0)
    await recordChange(ctx, table, { seq, kind: 'imported', rows })
  return rows
}

const pickCounts = ({ created, updated, deleted }: RowCounts) => ({ created, updated, deleted })
