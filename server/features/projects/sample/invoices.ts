import type { ForEach } from '../../../../contract/canvas/block-steps.ts'
import type { InvoiceTexts } from '../../../language-models/test-models/recordings/recording.ts'
import type { GivenTable } from '../tables/tables.ts'

const INVOICES = 200
const TAX_PERCENT = 20
const NET_MAX = 5000
const SUPPLIERS = [
  ...['Harbor Green Coffee', 'Northwind Packaging', 'Brightline Couriers', 'Kettle & Sons Repairs'],
  ...['Lumen Energy', 'Finca La Aurora', 'Paperworks Print', 'Oak Street Storage'],
]

type Fault = 'sum' | 'rate' | 'due' | 'large'
const FAULTS = new Map<number, Fault>([
  [23, 'sum'],
  [58, 'rate'],
  [79, 'due'],
  [94, 'large'],
  [121, 'sum'],
  [147, 'rate'],
  [166, 'due'],
  [188, 'sum'],
])

interface Invoice {
  number: string
  supplier: string
  date: string
  due: string
  net: string
  tax: string
  total: string
}

const COLUMNS = ['number', 'supplier', 'net', 'tax', 'total', 'date', 'due'] as const

const listInvoices = (): Invoice[] => Array.from({ length: INVOICES }, (_, index) => createInvoice(index + 1))

function createInvoice(n: number): Invoice {
  const fault = FAULTS.get(n)
  const netCents = 4000 + ((n * 13_721) % 92_000) + (fault === 'large' ? 840_000 : 0)
  const taxCents = Math.round((netCents * (fault === 'rate' ? 7 : TAX_PERCENT)) / 100)
  const totalCents = netCents + taxCents + (fault === 'sum' ? 10_000 : 0)
  const day = n + Math.floor(n / 3)
  return {
    number: `2026-${String(n).padStart(3, '0')}`,
    supplier: SUPPLIERS[(n * 5 + Math.floor(n / 9)) % SUPPLIERS.length]!,
    date: dayOf2026(day),
    due: dayOf2026(day + (fault === 'due' ? -14 : 30)),
    net: toEuros(netCents),
    tax: toEuros(taxCents),
    total: toEuros(totalCents),
  }
}

const dayOf2026 = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10)
const toEuros = (cents: number) => (cents / 100).toFixed(2)

export const invoicesCsv = ({ columns }: InvoiceTexts): string =>
  [
    COLUMNS.map((name) => columns[name]),
    ...listInvoices().map((invoice) => COLUMNS.map((name) => invoice[name])),
  ]
    .map((cells) => `${cells.join(',')}\n`)
    .join('')

const TYPES = {
  number: 'text',
  supplier: 'text',
  net: 'money',
  tax: 'money',
  total: 'money',
  check: 'choice',
  reason: 'text',
  date: 'date',
  due: 'date',
} as const

/** `check` and `reason` are empty until the program has run. */
export const invoiceTable = ({ table, columns, states }: InvoiceTexts): GivenTable => ({
  name: table,
  key: 'number',
  columns: (Object.keys(TYPES) as (keyof typeof TYPES)[]).map((id) => ({
    ...{ id, type: TYPES[id], name: columns[id] },
    ...(TYPES[id] === 'money' && { currency: 'EUR' }),
    ...(TYPES[id] === 'choice' && {
      choices: [
        { id: 'ok', name: states.ok, color: 'green' as const },
        { id: 'odd', name: states.odd, color: 'red' as const },
      ],
    }),
  })),
  rows: listInvoices().map((values) => ({ values: { ...values } })),
})

export const everyInvoice = (tableId: string): Pick<ForEachInput, 'over' | 'concurrency'> => ({
  over: { from: 'rows', tableId, results: { check: 'check', reason: 'reason' } },
  concurrency: 5,
})

type ForEachInput = typeof ForEach._zod.input

/** For one row. */
export const checkProgram = ({ columns, reasons }: InvoiceTexts): string => `const row = input.item
const [net, tax, total] = ${names([columns.net, columns.tax, columns.total])}.map((name) => Number(row[name]))
const reasons = []
if (Math.abs(net + tax - total) > 0.01) reasons.push(${text(reasons.sum)})
if (Math.abs(net * ${TAX_PERCENT / 100} - tax) > 0.01) reasons.push(${text(reasons.rate)})
if (row[${text(columns.due)}] < row[${text(columns.date)}]) reasons.push(${text(reasons.due)})
if (net > ${NET_MAX}) reasons.push(${text(reasons.large)})
return {
  number: row[${text(columns.number)}],
  supplier: row[${text(columns.supplier)}],
  total,
  check: reasons.length > 0 ? 'odd' : 'ok',
  reason: reasons.join(', '),
}`

interface Area {
  group: string
  notes: { x: number; y: number; width: number; height: number; gap: number; columns: number }
  chart: { x: number; y: number; width: number; height: number }
}

/** For all results. */
export const markProgram = (
  { chart, states }: InvoiceTexts,
  area: Area,
): string => `const odd = input.output.filter(({ check }) => check === 'odd')
console.log(input.output.length, 'invoices,', odd.length, 'odd')

const bySupplier = new Map()
for (const { supplier, total, check } of input.output) {
  const bar = bySupplier.get(supplier) ?? { supplier, ${text(states.ok)}: 0, ${text(states.odd)}: 0 }
  bar[check === 'odd' ? ${text(states.odd)} : ${text(states.ok)}] += total
  bySupplier.set(supplier, bar)
}
const title = ${text(chart.title)}
const file = await charts.bar([...bySupplier.values()], { title, name: ${text(chart.file)} })

const notes = ${JSON.stringify(area.notes)}
const parentId = ${text(area.group)}
await tools.edit_canvas({
  create: [
    ...odd.map(({ number, supplier, total, reason }, n) => ({
      type: 'note', color: 'red', parentId,
      title: number + ' · ' + supplier,
      content: '**' + reason + '** · ' + total.toFixed(2) + ' €',
      x: notes.x + (n % notes.columns) * (notes.width + notes.gap),
      y: notes.y + Math.floor(n / notes.columns) * (notes.height + notes.gap),
      width: notes.width, height: notes.height,
    })),
    { type: 'image', title, parentId, fileId: file.id, ...${JSON.stringify(area.chart)} },
  ],
})
return { checked: input.output.length, odd: odd.map(({ number }) => number) }`

const text = (value: string) => JSON.stringify(value)
const names = (values: string[]) => `[${values.map(text).join(', ')}]`
