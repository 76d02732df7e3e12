import { toDisplayName } from '../../../../../contract/display-name.ts'
import { TABLE_LIMITS } from '../../../../../contract/projects/table-options.ts'
import { toSearchKey } from '../../../../database/name-keys.ts'
import { badField } from '../../../../errors.ts'
import { addColumns, freeName, isShown, requireColumn, type StoredColumn, toChoices } from '../columns.ts'
import type { TableRow } from '../records.ts'
import { inferColumn } from './infer.ts'
import type { PreparedImport, Source } from './read-source.ts'

export interface MappedColumn {
  header: string
  /** Null if skipped. */
  column: StoredColumn | null
  isNew: boolean
}

interface Mapped {
  /** The table's columns, with new ones and new choices. */
  columns: StoredColumn[]
  /** In the file's order. */
  mapped: MappedColumn[]
}

export function mapColumns(
  table: TableRow,
  source: Source,
  { mapping = {}, createColumns }: PreparedImport,
): Mapped {
  const headers = source.header.map((header) => header.trim())
  for (const header of Object.keys(mapping))
    if (!headers.includes(header)) throw badField(`body.mapping.${header}`, 'is not a header of the file')
  let { columns } = table
  const chosen = headers.map((header, index): MappedColumn => {
    const ref = Object.hasOwn(mapping, header) ? mapping[header] : undefined
    if (ref === null) return { header, column: null, isNew: false }
    if (ref !== undefined)
      return { header, column: requireColumn(columns, ref, `body.mapping.${header}`), isNew: false }
    const existing = columns.find((column) => isShown(column) && isNamed(column, header))
    if (existing || !createColumns || isEmpty(source, index))
      return { header, column: existing ?? null, isNew: false }
    const name = freeName(header || `Column ${index + 1}`, columns)
    columns = addColumns(columns, [inferColumn(name, valuesOf(source, index))], 'body.file')
    return { header, column: columns.at(-1)!, isNew: true }
  })
  requireDistinct(chosen)
  if (createColumns) columns = withNewChoices(columns, chosen, source)
  const byId = new Map(columns.map((column) => [column.id, column]))
  const mapped = chosen.map((each) => ({ ...each, column: each.column && byId.get(each.column.id)! }))
  if (mapped.every(({ column }) => column === null))
    throw badField('body.file', 'must have a header with a column’s name: map one, or create columns')
  return { columns, mapped }
}

const isNamed = ({ id, name }: StoredColumn, header: string) =>
  id === header || toSearchKey(name) === toSearchKey(header)

const valuesOf = ({ rows }: Source, index: number) => rows.map((row) => row[index] ?? '')
const isEmpty = (source: Source, index: number) =>
  source.header[index]!.trim() === '' && valuesOf(source, index).every((value) => value.trim() === '')

function requireDistinct(mapped: readonly MappedColumn[]): void {
  const seen = new Map<string, string>()
  for (const { header, column } of mapped) {
    if (!column) continue
    const other = seen.get(column.id)
    if (other !== undefined)
      throw badField(`body.mapping.${header}`, `must not be ${column.id}, which ${other} maps to`)
    seen.set(column.id, header)
  }
}

/** Values that a choice column doesn't have yet. */
function withNewChoices(
  columns: readonly StoredColumn[],
  mapped: readonly MappedColumn[],
  source: Source,
): StoredColumn[] {
  return columns.map((column) => {
    const index = mapped.findIndex((each) => each.column?.id === column.id)
    if (column.type !== 'choice' || index === -1) return column
    const current = column.choices ?? []
    const known = new Set(current.flatMap(({ id, name }) => [id, name.toLowerCase()]))
    const values = new Set(valuesOf(source, index).map((value) => value.trim()))
    const added = [...values].filter(
      (value) => value !== '' && !known.has(value) && !known.has(value.toLowerCase()),
    )
    if (current.length + added.length > TABLE_LIMITS.choices)
      throw badField(
        'body.file',
        `has more than ${TABLE_LIMITS.choices} choices for ${column.id}: use a text column`,
      )
    const names = added.flatMap((value) => toDisplayName(value, TABLE_LIMITS.choiceName) || [])
    if (names.length === 0) return column
    const choices = toChoices([...current, ...names.map((name) => ({ name }))], current, 'body.file')
    return { ...column, choices }
  })
}
