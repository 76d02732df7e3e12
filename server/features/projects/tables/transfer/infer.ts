import type { ColumnType } from '../../../../../contract/projects/table-options.ts'
import type { NewColumn, StoredColumn } from '../columns.ts'
import { parseText } from '../parse-text.ts'

/** Beyond these, values are texts rather than choices. */
const CHOICES_MAX = 20
const CHOICE_CHARACTERS_MAX = 40
/** Choices repeat at least this often. */
const REPEATS_MIN = 3
const TRIED: readonly Pick<StoredColumn, 'type' | 'time'>[] = [
  { type: 'boolean' },
  { type: 'number' },
  { type: 'date' },
  { type: 'date', time: true },
]

/** The narrowest type that fits all values. Codes such as 007 stay texts. */
export function inferColumn(name: string, values: readonly string[]): NewColumn {
  const filled = values.map((value) => value.trim()).filter((value) => value !== '')
  if (filled.length === 0) return { name, type: 'text' }
  const currency = currencyOf(filled)
  if (currency) return { name, type: 'money', currency }
  for (const { type, time } of TRIED) {
    if (!filled.every((value) => isPlain(type, time, value) && fits(type, time, value))) continue
    return { name, type, ...(time && { time }) }
  }
  const distinct = [...new Set(filled)]
  const areChoices =
    distinct.length <= CHOICES_MAX &&
    filled.length >= distinct.length * REPEATS_MIN &&
    distinct.every((value) => value.length <= CHOICE_CHARACTERS_MAX && !/[\n\r\t]/.test(value))
  const isUnambiguous = new Set(distinct.map((value) => value.toLowerCase())).size === distinct.length
  if (!areChoices || !isUnambiguous) return { name, type: 'text' }
  return { name, type: 'choice', choices: distinct.toSorted().map((choice) => ({ name: choice })) }
}

const fits = (type: ColumnType, time: boolean | undefined, value: string) =>
  !('problem' in parseText({ id: 'x', name: 'x', type, ...(time && { time }) }, value))

/** 1 and 0 are numbers, 007 a code, and a date with a time needs a column with times. */
function isPlain(type: ColumnType, time: boolean | undefined, value: string): boolean {
  if (type === 'boolean') return !/^[01xy n]$/i.test(value)
  if (type === 'number') return !/^[-+]?0\d/.test(value) && value.replace(/\D/g, '').length <= 15
  return time === true || !/\d:\d/.test(value)
}

const CURRENCIES = new Map([
  ['€', 'EUR'],
  ['$', 'USD'],
  ['£', 'GBP'],
  ['¥', 'JPY'],
  ['CHF', 'CHF'],
  ['EUR', 'EUR'],
  ['USD', 'USD'],
])
const SYMBOL = /^[-+]?\s*([€$£¥]|CHF|EUR|USD)|([€$£¥]|CHF|EUR|USD)$/

/** If every value has the same one. */
function currencyOf(values: readonly string[]): string | null {
  const found = new Set(
    values.map((value) => CURRENCIES.get(SYMBOL.exec(value)?.slice(1).find(Boolean) ?? '')),
  )
  const [currency] = [...found]
  if (found.size !== 1 || !currency) return null
  const column: StoredColumn = { id: 'x', name: 'x', type: 'money', currency }
  return values.every((value) => !('problem' in parseText(column, value))) ? currency : null
}
