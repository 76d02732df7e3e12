import type { StoredColumn } from './columns.ts'
import { type Cell, parseValue } from './values.ts'

type Parsed = { cell: Cell | null } | { problem: string }

/** A value as a spreadsheet, a file or a person writes it. */
export function parseText(column: StoredColumn, text: string): Parsed {
  const trimmed = text.trim()
  if (trimmed === '') return { cell: null }
  const { type } = column
  if (type === 'text') return parseValue(column, text)
  if (type === 'boolean') return parseValue(column, toBoolean(trimmed) ?? trimmed)
  if (type === 'number') return parseValue(column, toDecimal(trimmed) ?? trimmed)
  if (type === 'money') return parseValue(column, toDecimal(withoutCurrency(trimmed)) ?? trimmed)
  if (type === 'date') return parseValue(column, toDate(trimmed))
  if (type === 'choice') {
    const found = column.choices?.find(({ name }) => name.toLowerCase() === trimmed.toLowerCase())
    return parseValue(column, found?.id ?? trimmed)
  }
  return parseValue(column, trimmed)
}

const TRUE = ['true', 'yes', 'y', '1', 'x', '✓', 'wahr', 'ja']
const FALSE = ['false', 'no', 'n', '0', '✗', 'falsch', 'nein']

function toBoolean(text: string): boolean | null {
  const word = text.toLowerCase()
  return TRUE.includes(word) ? true : FALSE.includes(word) ? false : null
}

const withoutCurrency = (text: string) =>
  text.replace(/^([-+]?)\s*(?:\p{Sc}|[A-Z]{3}\b)\s*|\s*(?:\p{Sc}|\b[A-Z]{3})$/gu, '$1')

/** 1,234.50 and 1.234,50 and 1 234,50. Null if a separator could be either. */
function toDecimal(text: string): string | null {
  const plain = text.replace(/[\s'’\u00a0\u202f]/g, '')
  if (/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain)) return plain.replace(/^\+/, '')
  if (/^[-+]?\d{1,3}(,\d{3})+\.\d+$/.test(plain) || /^[-+]?\d{1,3}(,\d{3}){2,}$/.test(plain))
    return plain.replaceAll(',', '').replace(/^\+/, '')
  if (/^[-+]?\d{1,3}(\.\d{3})+,\d+$/.test(plain) || /^[-+]?\d{1,3}(\.\d{3}){2,}$/.test(plain))
    return plain.replaceAll('.', '').replace(',', '.').replace(/^\+/, '')
  if (/^[-+]?\d+,(\d{1,2}|\d{4,})$/.test(plain)) return plain.replace(',', '.').replace(/^\+/, '')
  return null
}

/** Also 31.01.2027, 2027/01/31, and 1/31/27 if only one of the numbers can be a month. */
function toDate(text: string): string {
  const [, day, month, year, rest = ''] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})(.*)$/.exec(text) ?? []
  if (day && month && year) {
    const isGerman = text.includes('.')
    const isAmerican = !isGerman && Number(month) > 12
    if (!isGerman && Number(day) <= 12 && Number(month) <= 12 && day !== month) return text
    const [d, m] = isAmerican ? [month, day] : [day, month]
    return `${year}-${m.padStart(2, '0')}-${d.padStart(2, '0')}${toTime(rest)}`
  }
  const [, iso, time = ''] = /^(\d{4}[-/]\d{1,2}[-/]\d{1,2})(.*)$/.exec(text) ?? []
  if (!iso) return text
  const [y, m, d] = iso.split(/[-/]/) as [string, string, string]
  return `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}${toTime(time)}`
}

/** Without a time zone, UTC. */
function toTime(rest: string): string {
  const [, hours, minutes, seconds = '00', zone = 'Z'] =
    /^[T\s]\s*(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?\s*(Z|[+-]\d{2}:?\d{2})?$/i.exec(rest) ?? []
  return hours ? `T${hours.padStart(2, '0')}:${minutes}:${seconds}${zone}` : rest.trim()
}
