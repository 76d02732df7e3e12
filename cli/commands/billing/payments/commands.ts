import type { Command } from 'commander'
import { command } from '../../../command.ts'
import type { CliEnvironment } from '../../../config.ts'
import { listPayments } from './list.ts'
import { showPayment } from './show.ts'

const HELP = `
Payments require an API key with the scope billing:machine:charge, which a sign-in does not include: set ATRIUM_API_KEY.
People approve payments and set mandates in the browser.

Examples:
  npx atrium payments ls --status requires_approval
  npx atrium payments show 0199…                  with its timeline
`

/** Adds `atrium payments`. */
export function addPaymentCommands(program: Command, environment: CliEnvironment): void {
  const payments = program
    .command('payments')
    .description('List machine payments and show one')
    .addHelpText('after', HELP)
    .exitOverride()
  command(payments, 'ls', 'List machine payments, newest first')
    .option('--status <status>', 'payments with this status')
    .option('--run <run>', 'payments of this run (id)')
    .option('--limit <number>', 'at most this many, up to 100', '50')
    .action((options) => listPayments(options, environment))
  command(payments, 'show <payment>', 'Show a machine payment with its timeline').action((ref, options) =>
    showPayment(ref, options, environment),
  )
}
