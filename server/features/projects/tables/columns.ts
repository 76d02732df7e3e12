import type { z } from 'zod'
import { toDisplayName } from '../../../../contract/display-name.ts'
import type { Column, ColumnChange, ColumnInput } from '../../../../contract/projects/table-fields.ts'
import { type ColumnType, RESERVED_ID, TABLE_LIMITS } from '../../../../contract/projects/table-options.ts'
import { toSearchKey } from '../../../database/name-keys.ts'
import { ApiError, badField } from '../../../errors.ts'

export type ColumnFields = z.output<typeof Column>
export type NewColumn = z.output<typeof ColumnInput>
export type ChangedColumn = z.output<typeof ColumnChange>
export type ChoiceFields = NonNullable<ColumnFields['choices']>[number]

/** Stored. A removed column keeps its values until they are stripped. */
export interface StoredColumn extends ColumnFields {
  removedAt?: string
}

export const isShown = ({ removedAt }: StoredColumn) => removedAt === undefined
export const shownColumns = (columns: readonly StoredColumn[]): StoredColumn[] => columns.filter(isShown)

/** By id, else by exact name. */
export const findColumn = (columns: readonly StoredColumn[], ref: string): StoredColumn | undefined =>
  columns.find((column) => isShown(column) && column.id === ref) ??
  columns.find((column) => isShown(column) && column.name === ref)

export function requireColumn(columns: readonly StoredColumn[], ref: string, path: string): StoredColumn {
  const found = findColumn(columns, ref)
  if (found) return found
  throw badField(path, `must be a column of the table: ${listNames(columns)}`)
}

const NAMES_LISTED = 20

export function listNames(columns: readonly StoredColumn[]): string {
  const ids = shownColumns(columns).map(({ id }) => id)
  if (ids.length === 0) return 'it has none'
  const more = ids.length - NAMES_LISTED
  return ids.slice(0, NAMES_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Errors name fields under `path`. */
export function addColumns(
  before: readonly StoredColumn[],
  added: readonly NewColumn[],
  path: string,
): StoredColumn[] {
  const columns = [...before]
  for (const [index, input] of added.entries()) {
    const at = `${path}.${index}`
    if (columns.length >= TABLE_LIMITS.columns)
      throw new ApiError(
        'CONFLICT',
        `A table can have ${TABLE_LIMITS.columns} columns, including those removed in the last 30 days`,
        { details: { reason: 'too_many_columns' } },
      )
    requireFreeName(columns, input.name, null, `${at}.name`)
    if (input.id !== undefined && columns.some(({ id }) => id === input.id))
      throw badField(`${at}.id`, 'is taken, maybe by a removed column')
    const id =
      input.id ??
      freeId(
        input.name,
        columns.map((column) => column.id),
      )
    columns.push({ id, name: input.name, ...settingsFor(input, at) })
  }
  return columns
}

/** Only settings that the type has. */
export function settingsFor(
  input: Pick<NewColumn, 'type' | 'currency' | 'time' | 'choices' | 'target' | 'tableId'>,
  path: string,
): Omit<ColumnFields, 'id' | 'name'> {
  const { type } = input
  for (const [setting, types] of Object.entries(TYPES_WITH))
    if (input[setting as keyof typeof TYPES_WITH] !== undefined && type !== types)
      throw badField(`${path}.${setting}`, `must be absent for the type ${type}`)
  if (type === 'money') {
    if (!input.currency) throw badField(`${path}.currency`, 'is required for the type money')
    return { type, currency: input.currency }
  }
  if (type === 'date') return { type, ...(input.time && { time: true }) }
  if (type === 'choice') return { type, choices: toChoices(input.choices ?? [], [], `${path}.choices`) }
  if (type !== 'link') return { type }
  if (!input.target) throw badField(`${path}.target`, 'is required for the type link')
  if ((input.target === 'row') !== (input.tableId !== undefined))
    throw badField(
      `${path}.tableId`,
      input.target === 'row' ? 'is required for links to rows' : 'must be absent',
    )
  return { type, target: input.target, ...(input.tableId && { tableId: input.tableId }) }
}

const TYPES_WITH = {
  currency: 'money',
  time: 'date',
  choices: 'choice',
  target: 'link',
  tableId: 'link',
} as const satisfies Record<string, ColumnType>

export function changeColumn(
  columns: readonly StoredColumn[],
  { id: ref, name, currency, choices, width }: ChangedColumn,
  path: string,
): StoredColumn[] {
  const column = requireColumn(columns, ref, `${path}.id`)
  if (name !== undefined) requireFreeName(columns, name, column.id, `${path}.name`)
  if (currency !== undefined && column.type !== 'money')
    throw badField(`${path}.currency`, `must be absent for the type ${column.type}`)
  if (choices !== undefined && column.type !== 'choice')
    throw badField(`${path}.choices`, `must be absent for the type ${column.type}`)
  const changed = {
    ...column,
    ...(name !== undefined && { name }),
    ...(currency !== undefined && { currency }),
    ...(choices && { choices: toChoices(choices, column.choices ?? [], `${path}.choices`) }),
    ...(width !== undefined && { width }),
  }
  return columns.map((each) => (each.id === column.id ? changed : each))
}

/** A choice without an id that has the name of a current one is that one. */
export function toChoices(
  input: readonly { id?: string | undefined; name: string; color?: ChoiceFields['color'] | undefined }[],
  current: readonly ChoiceFields[],
  path: string,
): ChoiceFields[] {
  const taken = [...current.map(({ id }) => id), ...input.flatMap(({ id }) => id ?? [])]
  const choices: ChoiceFields[] = []
  for (const [index, { name, color, ...given }] of input.entries()) {
    const id = given.id ?? current.find((choice) => choice.name === name)?.id ?? freeId(name, taken)
    taken.push(id)
    if (choices.some((choice) => choice.id === id)) throw badField(`${path}.${index}.id`, 'is a duplicate')
    if (choices.some((choice) => isSameName(choice.name, name)))
      throw badField(`${path}.${index}.name`, 'is a duplicate')
    choices.push({ id, name, ...(color && { color }) })
  }
  return choices
}

/** Widths are no part of a column's history. */
export const withoutWidth = ({ width: _width, ...column }: StoredColumn): StoredColumn => column

/** Columns named in `order` first. */
export function reorder(
  columns: readonly StoredColumn[],
  order: readonly string[],
  path: string,
): StoredColumn[] {
  const ids = order.map((ref, index) => requireColumn(columns, ref, `${path}.${index}`).id)
  const duplicate = ids.findIndex((id, index) => ids.indexOf(id) < index)
  if (duplicate !== -1) throw badField(`${path}.${duplicate}`, 'is a duplicate')
  const rank = (id: string) => (ids.includes(id) ? ids.indexOf(id) : ids.length)
  return columns.toSorted((a, b) => rank(a.id) - rank(b.id))
}

/** Texts in columns, for agents' trust in them. */
export const labelsOf = (columns: readonly StoredColumn[]): string[] => [
  ...new Set(columns.flatMap(({ name, choices = [] }) => [name, ...choices.map((choice) => choice.name)])),
]

function requireFreeName(
  columns: readonly StoredColumn[],
  name: string,
  except: string | null,
  path: string,
): void {
  if (columns.some((column) => isShown(column) && column.id !== except && isSameName(column.name, name)))
    throw badField(path, 'is a duplicate')
}

/** With a number if a shown column has the name. */
export function freeName(wanted: string, columns: readonly StoredColumn[]): string {
  const isTaken = (name: string) => columns.some((column) => isShown(column) && isSameName(column.name, name))
  const name = toDisplayName(wanted, TABLE_LIMITS.name) || 'Column'
  if (!isTaken(name)) return name
  const start = [...name].slice(0, TABLE_LIMITS.name - NUMBER_CHARACTERS).join('')
  for (let n = 2; ; n++) if (!isTaken(`${start} ${n}`)) return `${start} ${n}`
}

/** At most 100 columns. */
const NUMBER_CHARACTERS = 4

const isSameName = (a: string, b: string) => toSearchKey(a) === toSearchKey(b)

const ID_CHARACTERS_MAX = 40

/** `Größe (cm)` becomes `grosse_cm`. Names without Latin letters become `column`. */
export function freeId(name: string, taken: readonly string[]): string {
  const plain = name.replaceAll('ß', 'ss').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const words = plain.replace(/[^a-z0-9]+/g, '_').replace(/^[_0-9]+|_+$/g, '')
  const base = words.slice(0, ID_CHARACTERS_MAX - 4).replace(/_+$/, '') || 'column'
  if (!taken.includes(base) && base !== RESERVED_ID) return base
  for (let n = 2; ; n++) if (!taken.includes(`${base}_${n}`)) return `${base}_${n}`
}
