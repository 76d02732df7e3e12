import { isDeepStrictEqual } from 'node:util'
import { isShown, type StoredColumn, withoutWidth } from './columns.ts'
import type { NewTable } from './manage.ts'

/** A change's settings before and after. Absent ones did not change. */
export interface SettingsChange {
  before: Partial<NewTable>
  after: Partial<NewTable>
}

interface Reverted {
  fields: NewTable
  /** Somebody has changed the same settings since. */
  isEdited: boolean
}

/** The newest change first. Columns are restored one by one, so that others’ columns stay. */
export function revertSettings(current: NewTable, changes: readonly SettingsChange[], now: Date): Reverted {
  let fields = current
  let isEdited = false
  for (const { before, after } of changes) {
    for (const name of ['name', 'description', 'key'] as const) {
      if (before[name] === undefined) continue
      isEdited ||= fields[name] !== after[name]
      fields = { ...fields, [name]: before[name] }
    }
    if (!before.columns || !after.columns) continue
    isEdited ||= hasOtherColumns(fields.columns, before.columns, after.columns)
    fields = { ...fields, columns: revertColumns(fields.columns, before.columns, after.columns, now) }
  }
  const isKeyShown = fields.columns.some((column) => column.id === fields.key && isShown(column))
  return { fields: isKeyShown ? fields : { ...fields, key: null }, isEdited }
}

const byId = (columns: readonly StoredColumn[]) =>
  new Map(columns.map((column) => [column.id, withoutWidth(column)]))

function hasOtherColumns(
  current: readonly StoredColumn[],
  before: readonly StoredColumn[],
  after: readonly StoredColumn[],
): boolean {
  const [now, was] = [byId(current), byId(before)]
  return after.some(
    (column) =>
      !isDeepStrictEqual(was.get(column.id), withoutWidth(column)) &&
      !isDeepStrictEqual(now.get(column.id), withoutWidth(column)),
  )
}

function revertColumns(
  current: readonly StoredColumn[],
  before: readonly StoredColumn[],
  after: readonly StoredColumn[],
  now: Date,
): StoredColumn[] {
  const [was, became] = [byId(before), byId(after)]
  const reverted = current.map((column) => {
    const former = was.get(column.id)
    if (isDeepStrictEqual(former, became.get(column.id))) return column
    if (former) return { ...former, ...(column.width !== undefined && { width: column.width }) }
    return isShown(column) ? { ...column, removedAt: now.toISOString() } : column
  })
  const isSameSet = before.length === after.length && after.every(({ id }) => was.has(id))
  if (!isSameSet) return reverted
  const rank = new Map(before.map(({ id }, index) => [id, index]))
  return reverted.toSorted((a, b) => (rank.get(a.id) ?? before.length) - (rank.get(b.id) ?? before.length))
}
