import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { USAGE_GROUPS } from '../../../contract/billing/budget-options.ts'
import { budgets } from '../../../contract/billing/budgets.ts'
import { usage } from '../../../contract/billing/usage.ts'
import { counted } from '../../../contract/counted.ts'
import { command } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect, parseResponse } from '../../connect.ts'
import { explain, Failure } from '../../failure.ts'
import { parseChoice } from '../../parse.ts'
import { print, printData, printMessage, printTable, sanitize } from '../../terminal.ts'

const HELP = `
Examples:
  npx atrium usage --by model --from 2026-11-01
  npx atrium usage --csv > usage.csv              the ledger
  npx atrium budgets ls
  npx atrium budgets set                          print the page’s URL: API keys can’t change budgets
`

export function addUsageCommands(program: Command, environment: CliEnvironment): void {
  command(program, 'usage', 'Show usage and cost for calls, messages, searches and payments')
    .option('--by <group>', 'day, project, agent, model, user or key', 'day')
    .option('--from <day>', 'first day, such as 2026-11-01 (default: 29 days before the last day)')
    .option('--to <day>', 'last day (default: today)')
    .option('--csv', 'print the ledger as CSV')
    .addHelpText('after', HELP)
    .action((options) => showUsage(options, environment))
  const budgets = program
    .command('budgets')
    .description('List budgets with spent and remaining amounts')
    .addHelpText('after', HELP)
    .exitOverride()
  command(budgets, 'ls', 'List budgets with spent and remaining amounts').action((options) =>
    listBudgets(options, environment),
  )
  command(budgets, 'set', 'Print the URL where you set budgets').action((options) =>
    setBudget(options, environment),
  )
}

interface UsageOptions {
  server?: string
  json?: boolean
  by?: string
  from?: string
  to?: string
  csv?: boolean
}

async function showUsage(options: UsageOptions, environment: CliEnvironment): Promise<void> {
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
    [groupBy.toUpperCase(), 'COST', 'ENTRIES', 'INPUT', 'CACHED', 'OUTPUT'],
    ...rows,
    ['total', ...cells(total)],
  ])
  printMessage(`${isOwn ? 'Your usage' : 'Organization usage'} from ${from} to ${to}, in UTC`)
  if (total.unpricedCalls > 0)
    printMessage(`No known price for ${counted(total.unpricedCalls, 'entry', 'entries')}`)
}

interface Totals {
  cost: { amount: string }
  calls: number
  inputTokens: number
  cacheReadTokens: number
  outputTokens: number
}

const cells = ({ cost, calls, inputTokens, cacheReadTokens, outputTokens }: Totals) => [
  `$${cost.amount}`,
  ...[calls, inputTokens, cacheReadTokens, outputTokens].map((count) => count.toLocaleString('en-US')),
]

async function printCsv({ server, request }: Connection, query: URLSearchParams): Promise<void> {
  const response = await request(`/api/v1/usage/export?${query}`).catch((error: unknown) => {
    throw explain(error, server)
  })
  if (!response.ok || !response.body)
    throw new Failure('failed', `The server responded with status ${response.status}`)
  await pipeline(Readable.fromWeb(response.body as never), process.stdout, { end: false })
}

interface BudgetOptions {
  server?: string
  json?: boolean
}

async function listBudgets(options: BudgetOptions, environment: CliEnvironment): Promise<void> {
  const { server, client } = await connect(options.server, environment)
  const list = await parseResponse(server, budgets.list, client.budgets.list())
  if (options.json) return printData(list)
  if (list.items.length === 0) return print('No budgets')
  const dollars = (amount: string | null) => (amount === null ? '–' : `$${amount}`)
  const rows = list.items.map(({ scope, id, name, period, amount, spent, left, onReach, state }) => [
    `${scope} ${sanitize(name ?? id)}`,
    period,
    dollars(amount),
    dollars(spent),
    dollars(left),
    onReach,
    state,
  ])
  printTable([['BUDGET', 'PERIOD', 'AMOUNT', 'SPENT', 'LEFT', 'WHEN REACHED', 'STATE'], ...rows])
  if (list.waitingRuns > 0) printMessage(`Runs waiting for a budget: ${list.waitingRuns}`)
}

/** A key can't change budgets, so a leaked key can't raise them. */
async function setBudget(options: BudgetOptions, environment: CliEnvironment): Promise<void> {
  const { server } = await connect(options.server, environment)
  throw new Failure(
    'refused',
    'You can only set budgets in the browser',
    `${server}/settings/organization/usage`,
  )
}
