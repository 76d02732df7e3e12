import { budgets } from '../../../../contract/billing/budgets.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { print, printData, printMessage, printTable, sanitize } from '../../../terminal.ts'

interface BudgetOptions {
  server?: string
  json?: boolean
}

export async function listBudgets(options: BudgetOptions, environment: CliEnvironment): Promise<void> {
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
  if (list.waitingRuns > 0) printMessage(`Runs that wait for a budget: ${list.waitingRuns}`)
}

/** A key cannot change budgets, so that a leaked key cannot raise them. */
export async function setBudget(options: BudgetOptions, environment: CliEnvironment): Promise<void> {
  const { server } = await connect(options.server, environment)
  throw new Failure('refused', 'Setting a budget requires the browser', `${server}/usage`)
}
