import { isDeepStrictEqual } from 'node:util'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { TABLE_LIMITS } from '../../../../contract/projects/table-options.ts'
import type { tables } from '../../../../contract/projects/tables.ts'
import type { Context } from '../../../context.ts'
import { ApiError, badField, notFound } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { lockTable } from './access.ts'
import { requireColumn } from './columns.ts'
import { type GivenLink, requireLinks } from './links.ts'
import { NO_ROWS, nextSeq, type RowCounts, recordChange, writerOf } from './record-change.ts'
import type { TableRow } from './records.ts'
import { type Cell, type Cells, parseValue } from './values.ts'
import { insertRows, listForUpsert, type StoredRow, updateRows, type WrittenRow } from './write-queries.ts'

type Mode = 'upsert' | 'insert' | 'update'

export interface GivenRow {
  id?: string | undefined
  version?: number | undefined
  values: Record<string, unknown>
}

/** All rows or none. */
export const upsertRows = (ctx: Context<'quotas'>, { id, rows, mode }: InputOf<typeof tables.upsert>) =>
  ctx.transaction(async (inside) => {
    const table = await lockTable(inside, id)
    const given = await parseRows(inside, table, rows, 'body.rows')
    const seq = nextSeq(table)
    const { counts, results } = await writeRows(inside, table, given, { seq, mode, path: 'body.rows' })
    const { created, updated } = counts
    if (created + updated > 0) await recordChange(inside, table, { seq, kind: 'rows', rows: counts })
    return { seq: table.seq, created, updated, unchanged: rows.length - created - updated, rows: results }
  })

/** Null empties the cell. */
export interface ParsedRow {
  id: string | null
  version: number | null
  cells: Record<string, Cell | null>
}

/** Errors name the row and the value. */
export async function parseRows(
  ctx: Context,
  table: TableRow,
  rows: readonly GivenRow[],
  path: string,
): Promise<ParsedRow[]> {
  const links: GivenLink[] = []
  const parsed = rows.map(({ id = null, version = null, values }, index) => ({
    id,
    version,
    cells: parseValues(table, values, `${path}.${index}.values`, links),
  }))
  if (links.length > 0) await requireLinks(ctx, table, links)
  return parsed
}

export function parseValues(
  { columns, key }: Pick<TableRow, 'columns' | 'key'>,
  values: Record<string, unknown>,
  path: string,
  links: GivenLink[],
): Record<string, Cell | null> {
  const cells: Record<string, Cell | null> = {}
  for (const [ref, value] of Object.entries(values)) {
    const at = `${path}.${ref}`
    const column = requireColumn(columns, ref, at)
    if (Object.hasOwn(cells, column.id)) throw badField(at, 'is given twice, by id and by name')
    const parsed = parseValue(column, value)
    if ('problem' in parsed) throw badField(at, parsed.problem)
    const { cell } = parsed
    if (column.id === key && typeof cell === 'string' && cell.length > TABLE_LIMITS.keyText)
      throw badField(at, `must be at most ${TABLE_LIMITS.keyText} characters, because it is the key`)
    if (column.type === 'link' && cell !== null) links.push({ column, id: cell as string, path: at })
    cells[column.id] = cell
  }
  return cells
}

interface WriteOptions {
  seq: number
  mode: Mode
  /** Of the rows, in errors. */
  path: string
}

interface Written {
  counts: RowCounts
  results: { id: string; action: 'created' | 'updated' | 'unchanged' }[]
}

/** The table must be locked. Writes rows and their history, not the call's own record. */
export async function writeRows(
  ctx: Context,
  table: TableRow,
  given: readonly ParsedRow[],
  { seq, mode, path }: WriteOptions,
): Promise<Written> {
  const { orgId, id, key } = table
  requireDistinct(table, given, path)
  const keys = key === null ? [] : given.flatMap(({ cells }) => cells[key] ?? [])
  const ids = given.flatMap((row) => row.id ?? [])
  const stored = await listForUpsert(ctx.sql, orgId, id, { ids, keys })
  const byId = new Map(stored.map((row) => [row.id, row]))
  const byKey = new Map(stored.flatMap((row) => (row.key === null ? [] : [[row.key, row] as const])))
  const writes: (WrittenRow & { isNew: boolean })[] = []
  const results: Written['results'] = []
  for (const [index, row] of given.entries()) {
    const at = `${path}.${index}`
    const existing = findExisting(row, { byId, byKey, key, mode, at })
    const written = existing ? change(existing, row, at) : create(row)
    if (written) writes.push({ ...written, isNew: !existing })
    const rowId = written?.id ?? existing!.id
    results.push({ id: rowId, action: existing ? (written ? 'updated' : 'unchanged') : 'created' })
  }
  const tooLarge = writes.find(
    ({ cells }) => Buffer.byteLength(JSON.stringify(cells)) > TABLE_LIMITS.rowBytes,
  )
  if (tooLarge) {
    const index = results.findIndex((result) => result.id === tooLarge.id)
    throw badField(`${path}.${index}.values`, `must be at most ${TABLE_LIMITS.rowBytes} bytes together`)
  }
  const stamp = { seq, key, ...writerOf(ctx), now: ctx.now() }
  const created = writes.filter(({ isNew }) => isNew)
  const updated = writes.filter(({ isNew }) => !isNew)
  const bytes =
    (created.length > 0 ? await insertRows(ctx.sql, orgId, id, created, stamp) : 0) +
    (updated.length > 0 ? await updateRows(ctx.sql, orgId, id, updated, stamp) : 0)
  return { counts: { ...NO_ROWS, created: created.length, updated: updated.length, bytes }, results }
}

/** A row given twice would get the values of one of them. */
function requireDistinct({ key }: TableRow, given: readonly ParsedRow[], path: string): void {
  const ids = new Map<string, number>()
  const keys = new Map<Cell, number>()
  for (const [index, row] of given.entries()) {
    const sameId = row.id === null ? undefined : ids.get(row.id)
    if (sameId !== undefined) throw badField(`${path}.${index}.id`, `is a duplicate of ${path}.${sameId}.id`)
    if (row.id !== null) ids.set(row.id, index)
    const value = key === null ? null : (row.cells[key] ?? null)
    if (value === null) continue
    const sameKey = keys.get(value)
    if (sameKey !== undefined)
      throw badField(`${path}.${index}.values.${key}`, `is a duplicate of ${path}.${sameKey}.values.${key}`)
    keys.set(value, index)
  }
}

interface Existing {
  byId: ReadonlyMap<string, StoredRow>
  byKey: ReadonlyMap<Cell, StoredRow>
  key: string | null
  mode: Mode
  /** Of the row, in errors. */
  at: string
}

function findExisting(row: ParsedRow, { byId, byKey, key, mode, at }: Existing): StoredRow | undefined {
  const value = key === null ? null : (row.cells[key] ?? null)
  const keyed = value === null ? undefined : byKey.get(value)
  if (row.id !== null) {
    if (mode === 'insert') throw badField(`${at}.id`, 'must be absent for the mode insert')
    const named = byId.get(row.id)
    if (!named) throw new ApiError('NOT_FOUND', `${at}.id is not a row of this table`)
    if (keyed && keyed.id !== row.id) throw keyTaken(`${at}.values.${key}`, keyed.id)
    return named
  }
  if (keyed && mode === 'insert') throw keyTaken(`${at}.values.${key}`, keyed.id)
  if (!keyed && mode === 'update') throw notFound('Row', { reason: 'no_row', path: at })
  return keyed
}

const keyTaken = (path: string, rowId: string) =>
  new ApiError('CONFLICT', `${path} is the key of another row`, { details: { reason: 'key_taken', rowId } })

function create({ cells }: ParsedRow): WrittenRow {
  const filled = Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== null)) as Cells
  return { id: newId(), cells: filled, before: null, after: filled }
}

function change(existing: StoredRow, { version, cells }: ParsedRow, at: string): WrittenRow | null {
  if (version !== null && version !== existing.version)
    throw new ApiError('CONFLICT', `${at} has changed since version ${version}: read it again`, {
      details: { reason: 'stale', rowId: existing.id },
    })
  return changeRow(existing, cells)
}

/** Null if nothing changes. */
export function changeRow(
  existing: Pick<StoredRow, 'id' | 'cells'>,
  cells: ParsedRow['cells'],
): WrittenRow | null {
  const changed = Object.entries(cells).filter(
    ([id, cell]) => !isDeepStrictEqual(existing.cells[id] ?? null, cell),
  )
  if (changed.length === 0) return null
  const after = Object.fromEntries(changed)
  const before = Object.fromEntries(changed.map(([id]) => [id, existing.cells[id] ?? null]))
  const merged = Object.entries({ ...existing.cells, ...after }).filter(([, cell]) => cell !== null)
  return { id: existing.id, cells: Object.fromEntries(merged) as Cells, before, after }
}
