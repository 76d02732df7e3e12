import { LOCALE, t } from '../../../../../contract/text.ts'
import type { TableColumn } from '../../../../api/tables.ts'

export interface LinkValue {
  id: string
  title: string | null
  missing: boolean
}

export const isLink = (value: unknown): value is LinkValue =>
  typeof value === 'object' && value !== null && 'missing' in value

/** As people read it, in their language. */
export function displayText(column: TableColumn, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (isLink(value)) return value.title ?? t`Untitled`
  if (column.type === 'choice') return column.choices?.find(({ id }) => id === value)?.name ?? ''
  if (column.type === 'number') return (value as number).toLocaleString(LOCALE, { maximumFractionDigits: 10 })
  if (column.type === 'money') return formatAmount(value as string, column.currency!)
  if (column.type === 'date') return formatDate(value as string)
  return String(value as string | number | boolean)
}

/** Exact: a string keeps all digits, which a number may not. */
function formatAmount(amount: string, currency: string): string {
  const decimals = amount.split('.')[1]?.length ?? 0
  return new Intl.NumberFormat(LOCALE, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount as `${number}`)
}

function formatDate(value: string): string {
  const hasTime = value.length > 10
  const at = new Date(hasTime ? value : `${value}T00:00:00Z`)
  return hasTime
    ? at.toLocaleString(LOCALE, { dateStyle: 'medium', timeStyle: 'short' })
    : at.toLocaleDateString(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' })
}

/** As it is typed and pasted: what the server reads back. */
export function editText(column: TableColumn, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (isLink(value)) return value.id
  if (column.type === 'choice') return column.choices?.find(({ id }) => id === value)?.name ?? ''
  return String(value as string | number | boolean)
}

/** As a field for the column has it: a time of day is local there. */
export function fieldText(column: TableColumn, value: unknown): string {
  if (!isTime(column) || typeof value !== 'string') return editText(column, value)
  const at = new Date(value)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

export const fieldType = (column: TableColumn) =>
  column.type !== 'date' ? 'text' : isTime(column) ? 'datetime-local' : 'date'

const isTime = ({ type, time }: TableColumn) => type === 'date' && time === true

/** From text, as a spreadsheet has it. The server checks the rest. */
export function fromText(column: TableColumn, text: string): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const { type, choices = [] } = column
  if (type === 'boolean') return /^(true|yes|1|x|✓|wahr|ja)$/i.test(trimmed)
  if (type === 'choice')
    return choices.find(({ name }) => name.toLowerCase() === trimmed.toLowerCase())?.id ?? trimmed
  if (type === 'number' || type === 'money') return toDecimal(trimmed)
  if (type === 'date') return isTime(column) ? toIsoTime(trimmed) : toIsoDate(trimmed)
  return type === 'text' ? text : trimmed
}

/** 1.234,50 in a language that writes it so, and 1,234.50 in others. */
function toDecimal(text: string): string {
  const plain = text.replace(/[^\d.,+-]/g, '')
  if (!plain.includes(',')) return plain
  const isCommaDecimal = plain.lastIndexOf(',') > plain.lastIndexOf('.')
  const isGrouped = /^[-+]?\d{1,3}(,\d{3})+$/.test(plain) && LOCALE === 'en'
  return isCommaDecimal && !isGrouped
    ? plain.replaceAll('.', '').replace(',', '.')
    : plain.replaceAll(',', '')
}

function toIsoDate(text: string): string {
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? []
  return year ? `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}` : text
}

/** Without a zone, it's the local time. */
function toIsoTime(text: string): string {
  const [, day = text, time = '00:00'] = /^(\S+?)[T ]+(\d.*)$/.exec(text) ?? []
  const at = new Date(`${toIsoDate(day)}T${time}`)
  return Number.isNaN(at.getTime()) ? text : at.toISOString()
}

/** Of a date, month or year: `2027-01-31`, `2027-01` or `2027`. */
export function formatPeriod(key: string): string {
  if (key.length === 4) return key
  if (key.length > 7) return formatDate(key)
  const at = new Date(`${key}-01T00:00:00Z`)
  return at.toLocaleDateString(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' })
}

/** Of a number or money column; exact. */
export const formatSum = ({ type, currency }: TableColumn, sum: string): string =>
  type === 'money'
    ? formatAmount(sum, currency!)
    : new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 10 }).format(sum as `${number}`)

export const isRightAligned = ({ type }: TableColumn) => type === 'number' || type === 'money'
