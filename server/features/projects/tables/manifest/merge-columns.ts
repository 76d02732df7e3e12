import { toDisplayName } from '../../../../../contract/display-name.ts'
import { TABLE_LIMITS } from '../../../../../contract/projects/table-options.ts'
import { toSearchKey } from '../../../../database/name-keys.ts'
import { ApiError, badField } from '../../../../errors.ts'
import { freeName, isShown, type StoredColumn, settingsFor } from '../columns.ts'
import type { ManifestTable } from './portable-tables.ts'

export interface GivenColumns {
  columns: StoredColumn[]
  /** Their cells aren't in the manifest, or have nothing to name. */
  skipped: ReadonlySet<string>
}

/** `tables` are ids here by ids in the manifest. Errors name fields under `path`. */
export function parseColumns(
  { columns: given, key }: Pick<ManifestTable, 'columns' | 'key'>,
  tables: ReadonlyMap<string, string>,
  path: string,
): GivenColumns {
  const skipped = new Set<string>()
  const columns: StoredColumn[] = []
  const names = new Set<string>()
  for (const [index, column] of given.entries()) {
    const at = `${path}.columns.${index}`
    const name = toDisplayName(column.name, TABLE_LIMITS.name) || column.id
    if (columns.some(({ id }) => id === column.id)) throw badField(`${at}.id`, 'is a duplicate')
    if (names.has(toSearchKey(name))) throw badField(`${at}.name`, 'is a duplicate')
    names.add(toSearchKey(name))
    const tableId = column.tableId && tables.get(column.tableId)
    const settings = settingsFor({ ...column, tableId: column.tableId }, at)
    if (column.target === 'run') skipped.add(column.id)
    if (column.target !== 'row') columns.push({ id: column.id, name, ...settings })
    else if (tableId) columns.push({ id: column.id, name, ...settings, tableId })
    else {
      // The linked table was deleted before the export.
      skipped.add(column.id)
      columns.push({ id: column.id, name, type: 'text' })
    }
  }
  if (key !== null) {
    const column = columns.find(({ id }) => id === key)
    if (!column) throw badField(`${path}.key`, 'must be a column of the table')
    if (column.type === 'boolean' || column.type === 'link')
      throw badField(`${path}.key`, `must not be a ${column.type} column`)
  }
  return { columns, skipped }
}

/** The manifest's columns first. Others are removed in mode `replace`, and stay in mode `merge`. */
export function mergeColumns(
  before: readonly StoredColumn[],
  given: readonly StoredColumn[],
  mode: 'merge' | 'replace',
  now: Date,
): StoredColumn[] {
  const ids = new Set(given.map(({ id }) => id))
  const merged = given.map((column) => {
    const existing = before.find(({ id }) => id === column.id)
    return mode === 'merge' && existing ? withChoices(column, existing) : column
  })
  for (const column of before.filter(({ id }) => !ids.has(id))) {
    if (!isShown(column)) merged.push(column)
    else if (mode === 'replace') merged.push({ ...column, removedAt: now.toISOString() })
    else merged.push({ ...column, name: freeName(column.name, merged) })
  }
  if (merged.length > TABLE_LIMITS.columns)
    throw new ApiError(
      'CONFLICT',
      `A table can have ${TABLE_LIMITS.columns} columns, including those removed in the last 30 days`,
      { details: { reason: 'too_many_columns' } },
    )
  return merged
}

/** Rows that the manifest doesn't have may use other choices. */
function withChoices(column: StoredColumn, existing: StoredColumn): StoredColumn {
  if (column.type !== 'choice' || existing.type !== 'choice') return column
  const choices = [...column.choices!]
  for (const choice of existing.choices ?? []) {
    const isTaken = choices.some(
      ({ id, name }) => id === choice.id || toSearchKey(name) === toSearchKey(choice.name),
    )
    if (!isTaken && choices.length < TABLE_LIMITS.choices) choices.push(choice)
  }
  return { ...column, choices }
}

/** Values have to be converted. */
export const isConverted = (before: StoredColumn, after: StoredColumn): boolean =>
  before.type !== after.type ||
  (before.time ?? false) !== (after.time ?? false) ||
  before.target !== after.target ||
  before.tableId !== after.tableId
