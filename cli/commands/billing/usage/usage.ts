import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { USAGE_GROUPS } from '../../../../contract/billing/budget-options.ts'
import { usage } from '../../../../contract/billing/usage.ts'
import { counted } from '../../../../contract/counted.ts'
import type { CliEnvironment } from '../../../config.ts'
import { type Connection, connect, parseResponse } from '../../../connect.ts'
import { explain, Failure } from '../../../failure.ts'
import { parseChoice } from '../../../parse-choice.ts'
import { printData, printMessage, printTable, sanitize } from '../../../terminal.ts'

interface UsageOptions {
  server?: string
  json?: boolean
  by?: string
  from?: string
  to?: string
  csv?: boolean
}

/** Usage and cost, by day or another property; or the ledger as CSV. */
export async function showUsage(options: UsageOptions, environment: CliEnvironment): Promise<void> {
  const groupBy = parseChoice('--by', USAGE_GROUPS, options.by) ?? 'day'
  if (options.csv && options.json) throw new Failure('usage', '--csv cannot be combined with --json')
  const connection = await connect(options.server, environment)
  const range = { ...(options.from && { from: options.from }), ...(options.to && { to: options.to }) }
  if (options.csv) return printCsv(connection, new URLSearchParams(range))
  const summary = await parseResponse(
    connection.server,
    usage.get,
    connection.client.usage.get({ ...range, groupBy }),
  )
  if (options.json) return printData(summary)
  const { items, total, from, to, isOwn } = summary
  const rows = items.map(({ key, name, ...totals }) => [sanitize(name ?? key ?? '–'), ...cells(totals)])
  printTable([
    [groupBy.toUpperCase(), 'COST', 'ENTRIES', 'INPUT', 'OUTPUT'],
    ...rows,
    ['total', ...cells(total)],
  ])
  printMessage(`${isOwn ? 'Your usage' : 'Usage of the organization'} from ${from} to ${to}, in UTC`)
  if (total.unpricedCalls > 0)
    printMessage(`No price is known for ${counted(total.unpricedCalls, 'entry', 'entries')}`)
}

interface Totals {
  cost: { amount: string }
  calls: number
  inputTokens: number
  outputTokens: number
}

const cells = ({ cost, calls, inputTokens, outputTokens }: Totals) => [
  `$${cost.amount}`,
  ...[calls, inputTokens, outputTokens].map((count) => count.toLocaleString('en-US')),
]

async function printCsv({ server, request }: Connection, query: URLSearchParams): Promise<void> {
  const response = await request(`/api/v1/usage/export?${query}`).catch((error: unknown) => {
    throw explain(error, server)
  })
  if (!response.ok || !response.body)
    throw new Failure('failed', `The server answered with ${response.status}`)
  await pipeline(Readable.fromWeb(response.body as never), process.stdout, { end: false })
}
