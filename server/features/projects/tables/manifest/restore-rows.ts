import { TABLE_LIMITS } from '../../../../../contract/projects/table-options.ts'
import { type Context, isOutsideAuthor } from '../../../../context.ts'
import { isUniqueViolation } from '../../../../database/pg-errors.ts'
import { badField, conflict } from '../../../../errors.ts'
import { deleteRows } from '../bulk.ts'
import type { StoredColumn } from '../columns.ts'
import { NO_ROWS, type RowCounts } from '../record-change.ts'
import { changeRow } from '../upsert.ts'
import { type Cell, type Cells, parseValue } from '../values.ts'
import {
  insertFirstRows,
  insertRows,
  listForUpsert,
  type Stamp,
  updateRows,
  type WrittenRow,
} from '../write-queries.ts'
import type { GivenColumns } from './merge-columns.ts'
import type { ManifestRow } from './portable-tables.ts'

export interface GivenRows extends GivenColumns {
  parts: readonly Uint8Array[]
  key: string | null
  /** Files here by their ids in the manifest. Null if the content doesn't exist here. */
  files: ReadonlyMap<string, string | null>
  /** In errors. */
  path: string
}

interface ParsedRow {
  id: string
  /** Of each column that the manifest has. Null is empty. */
  cells: Record<string, Cell | null>
  isOutside: boolean
}

/** Into a table without rows. */
export async function insertGivenRows(
  ctx: Context,
  { orgId, id }: TableRef,
  given: GivenRows,
  stamp: Stamp,
): Promise<RowCounts> {
  const counts = { ...NO_ROWS }
  for (const rows of parseParts(given)) {
    for (const [isOutside, group] of Map.groupBy(rows, (row) => row.isOutside)) {
      const created = group.map(asNew)
      const insert = () => insertFirstRows(ctx.sql, orgId, id, created, stamp)
      counts.bytes += await asOutside(ctx, isOutside, insert).catch((error: unknown) => {
        throw isUniqueViolation(error, 'table_rows_key') ? repeatedKeys(given) : error
      })
    }
    counts.created += rows.length
  }
  return counts
}

/**
 * Changes rows by id. The key's texts are left out, since rows may swap them: the caller sets them when all rows are
 * written.
 */
export async function changeGivenRows(
  ctx: Context,
  { orgId, id }: TableRef,
  given: GivenRows,
  { stamp, deletesOthers }: { stamp: Omit<Stamp, 'key'>; deletesOthers: boolean },
): Promise<RowCounts & { unchanged: number }> {
  const { sql } = ctx
  const counts = { ...NO_ROWS, unchanged: 0 }
  if (deletesOthers) {
    const ids = given.parts.flatMap((part) => readPart(part).map((row) => row.id))
    const others = sql`not exists (select from unnest(${ids}::uuid[]) g (id) where g.id = r.id)`
    const { count, bytes } = await deleteRows(sql, orgId, id, others, stamp.seq)
    counts.deleted = count
    counts.bytes -= bytes
  }
  const withoutKey = { ...stamp, key: null }
  for (const rows of parseParts(given)) {
    const ids = rows.map((row) => row.id)
    const stored = await listForUpsert(sql, orgId, id, { ids, keys: [] })
    const existing = new Map(stored.map((row) => [row.id, row]))
    for (const [isOutside, group] of Map.groupBy(rows, (row) => row.isOutside)) {
      const created = group.filter((row) => !existing.has(row.id)).map(asNew)
      const updated = group.flatMap(({ id: rowId, cells }) => {
        const row = existing.get(rowId)
        return (row && changeRow(row, cells)) ?? []
      })
      await asOutside(ctx, isOutside, async () => {
        if (created.length > 0) counts.bytes += await insertRows(sql, orgId, id, created, withoutKey)
        if (updated.length > 0) counts.bytes += await updateRows(sql, orgId, id, updated, withoutKey)
      })
      counts.created += created.length
      counts.updated += updated.length
      counts.unchanged += group.length - created.length - updated.length
    }
  }
  return counts
}

interface TableRef {
  orgId: string
  id: string
}

const readPart = (part: Uint8Array): ManifestRow[] =>
  JSON.parse(Buffer.from(part.buffer, part.byteOffset, part.length).toString())

/** One part at a time as objects. */
function* parseParts(given: GivenRows): Generator<ParsedRow[]> {
  const columns = new Map(given.columns.map((column) => [column.id, column]))
  const empty = Object.fromEntries(
    given.columns.flatMap(({ id }) => (given.skipped.has(id) ? [] : [[id, null] as const])),
  )
  let index = 0
  for (const part of given.parts)
    yield readPart(part).map((row) => {
      const at = `${given.path}.rows.${index++}`
      const cells: ParsedRow['cells'] = { ...empty }
      for (const [name, value] of Object.entries(row.values)) {
        const column = columns.get(name)
        if (!column) throw badField(`${at}.values.${name}`, 'must be a column of the table')
        if (!given.skipped.has(name)) cells[name] = parseCell(column, value, given, `${at}.values.${name}`)
      }
      if (Buffer.byteLength(JSON.stringify(cells)) > TABLE_LIMITS.rowBytes)
        throw badField(`${at}.values`, `must be at most ${TABLE_LIMITS.rowBytes} bytes together`)
      return { id: row.id, cells, isOutside: row.outside === true }
    })
}

function parseCell(
  column: StoredColumn,
  value: unknown,
  { key, files }: Pick<GivenRows, 'key' | 'files'>,
  path: string,
): Cell | null {
  const parsed = parseValue(column, value)
  if ('problem' in parsed) throw badField(path, parsed.problem)
  const { cell } = parsed
  if (column.id === key && String(cell ?? '').length > TABLE_LIMITS.keyText)
    throw badField(path, `must be at most ${TABLE_LIMITS.keyText} characters, because it is the key`)
  if (cell === null || column.target !== 'file') return cell
  const file = files.get(String(cell))
  if (file === undefined) throw badField(path, 'must be a file in the manifest')
  return file
}

function asNew({ id, cells }: ParsedRow): WrittenRow {
  const filled = Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== null)) as Cells
  return { id, cells: filled, before: null, after: filled }
}

/** A member who restores a text isn't its author. */
export async function asOutside<T>(
  { sql, caller }: Context,
  isOutside: boolean,
  write: () => Promise<T>,
): Promise<T> {
  if (!isOutside || isOutsideAuthor(caller)) return write()
  await sql`select set_config('atrium.outside_author', 'manifest', true)`
  const result = await write()
  // After a failure, the whole transaction is taken back.
  await sql`select set_config('atrium.outside_author', '', true)`
  return result
}

const repeatedKeys = ({ key }: GivenRows) =>
  conflict(`Several rows have the same value in the key column ${key}`)
