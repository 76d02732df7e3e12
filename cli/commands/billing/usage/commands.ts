import type { Command } from 'commander'
import { command } from '../../../command.ts'
import type { CliEnvironment } from '../../../config.ts'
import { listBudgets, setBudget } from './budgets.ts'
import { showUsage } from './usage.ts'

const HELP = `
Examples:
  npx atrium usage --by model --from 2026-11-01
  npx atrium usage --csv > usage.csv              the ledger
  npx atrium budgets ls
  npx atrium budgets set                          the URL of the page: API keys cannot change budgets
`

/** Adds `atrium usage` and `atrium budgets`. */
export function addUsageCommands(program: Command, environment: CliEnvironment): void {
  command(program, 'usage', 'Show the usage and cost of calls, messages and payments')
    .option('--by <group>', 'day, project, agent, model, user or key', 'day')
    .option('--from <day>', 'the first day, such as 2026-11-01 (default: the last 30 days)')
    .option('--to <day>', 'the last day (default: today)')
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
  command(budgets, 'set', 'Print the URL of the page that sets budgets').action((options) =>
    setBudget(options, environment),
  )
}
