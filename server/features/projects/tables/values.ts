import { TABLE_LIMITS } from '../../../../contract/projects/table-options.ts'
import { isUuid } from '../../../security/ids.ts'
import type { StoredColumn } from './columns.ts'

/** As stored. Absent means empty. */
export type Cell = string | number | boolean
export type Cells = Record<string, Cell>

type Parsed = { cell: Cell | null } | { problem: string }

/** Null for an empty cell. Problems are predicates: `must be a number`. */
export function parseValue(column: StoredColumn, value: unknown): Parsed {
  if (value === null || value === undefined || value === '') return { cell: null }
  return PARSERS[column.type](value, column)
}

type Parser = (value: unknown, column: StoredColumn) => Parsed

const fits = (cell: Cell | null): Parsed => ({ cell })
const fails = (problem: string): Parsed => ({ problem })

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?$/i
const AMOUNT = /^-?\d+(\.\d+)?$/
const DATE = /^\d{4}-\d{2}-\d{2}$/
const TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i

const PARSERS: Record<StoredColumn['type'], Parser> = {
  text(value) {
    if (typeof value !== 'string') return fails('must be a string')
    if (value.includes('\0') || !value.isWellFormed())
      return fails('must not contain NUL or broken Unicode characters')
    if (value.length > TABLE_LIMITS.text)
      return fails(`must be at most ${TABLE_LIMITS.text.toLocaleString('en-US')} characters`)
    return fits(value)
  },
  number(value) {
    const number = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value
    return typeof number === 'number' && Number.isFinite(number)
      ? fits(number === 0 ? 0 : number)
      : fails('must be a number')
  },
  money(value, { currency }) {
    const text = Number.isSafeInteger(value) ? String(value) : value
    if (typeof text !== 'string' || !AMOUNT.test(text.trim()))
      return fails('must be a decimal string such as "12.50"')
    const amount = toAmount(text.trim(), currency!)
    return amount === null
      ? fails(
          `must have at most ${TABLE_LIMITS.moneyDigits.whole} digits before the decimal point and ${TABLE_LIMITS.moneyDigits.decimals} after it`,
        )
      : fits(amount)
  },
  date(value, { time }) {
    if (typeof value !== 'string') return fails(dateRule(time))
    const text = value.trim()
    if (DATE.test(text) && isDay(text)) return fits(time ? `${text}T00:00:00.000Z` : text)
    if (!TIME.test(text) || !isDay(text.slice(0, 10))) return fails(dateRule(time))
    const at = new Date(text.replace(' ', 'T'))
    if (!(at.getTime() >= TIME_MIN && at.getTime() <= TIME_MAX)) return fails(dateRule(time))
    return fits(time ? at.toISOString() : text.slice(0, 10))
  },
  boolean: (value) => (typeof value === 'boolean' ? fits(value) : fails('must be true or false')),
  choice(value, { choices = [] }) {
    const found = choices.find(({ id }) => id === value) ?? choices.find(({ name }) => name === value)
    return found ? fits(found.id) : fails(`must be a choice: ${choiceList(choices)}`)
  },
  link(value) {
    const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : value
    return typeof id === 'string' && isUuid(id) ? fits(id.toLowerCase()) : fails('must be an id')
  },
}

const dateRule = (time: boolean | undefined) =>
  time ? 'must be a time such as 2027-01-31T12:00:00Z' : 'must be a date such as 2027-01-31'

const TIME_MIN = Date.parse('0001-01-01T00:00:00Z')
const TIME_MAX = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** 2027-02-30 isn't one. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const CHOICES_LISTED = 20

function choiceList(choices: readonly { id: string }[]): string {
  if (choices.length === 0) return 'the column has none'
  const more = choices.length - CHOICES_LISTED
  const ids = choices.slice(0, CHOICES_LISTED).map(({ id }) => id)
  return ids.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Padded to the currency’s decimals. Null if it has too many digits. */
function toAmount(text: string, currency: string): string | null {
  const [, sign, whole = '', decimals = ''] = /^(-?)0*(\d+?)(?:\.(\d*?)0*)?$/.exec(text) ?? []
  const { moneyDigits } = TABLE_LIMITS
  if (whole.length > moneyDigits.whole || decimals.length > moneyDigits.decimals) return null
  const padded = decimals.padEnd(decimalsOf(currency), '0')
  const amount = padded === '' ? whole : `${whole}.${padded}`
  return /[1-9]/.test(amount) ? `${sign}${amount}` : amount
}

const knownDecimals = new Map<string, number>()

/** Two for an unknown currency. */
function decimalsOf(currency: string): number {
  const known = knownDecimals.get(currency)
  if (known !== undefined) return known
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  knownDecimals.set(currency, maximumFractionDigits)
  return maximumFractionDigits
}

/** A value as a spreadsheet shows it. */
export function formatCell(column: StoredColumn, cell: Cell | undefined): string {
  if (cell === undefined) return ''
  if (column.type !== 'choice') return String(cell)
  return column.choices?.find(({ id }) => id === cell)?.name ?? ''
}
