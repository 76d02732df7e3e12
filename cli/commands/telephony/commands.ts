import type { Command } from 'commander'
import { command } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { addCallCommands } from './calls/commands.ts'
import { addNumberCommands } from './numbers.ts'
import { showOverview } from './overview.ts'
import { listRules } from './routing.ts'
import { addSmsCommands } from './sms.ts'
import { tryRouting } from './try.ts'

const HELP = `
<number> is a phone number with its country code, such as +4930123456; a number of the organization is also found by its id or
label. <call> is an id, or \`last\` for the newest call. Rules are changed in the dashboard, with step-up.

Examples:
  npx atrium telephony                                            numbers, calls in progress, problems
  npx atrium telephony numbers import +4930123456 --project support
  npx atrium telephony calls --open
  npx atrium telephony calls make +4930654321 --agent Assistant --task 'Confirm the appointment on Friday'
  npx atrium telephony sms send +4915112345678 'Your table is ready'
  npx atrium telephony try --from +4915112345678 --to +4930123456 --at 2027-01-04T20:00:00Z
`

/** Adds `atrium telephony`. */
export function addTelephonyCommands(program: Command, environment: CliEnvironment): void {
  const telephony = program
    .command('telephony')
    .description('Phone numbers, calls, text messages and their routing')
    .addHelpText('after', HELP)
    .exitOverride()
  command(telephony, 'overview', 'Show numbers, calls in progress, problems and totals', {
    isDefault: true,
  }).action((options) => showOverview(options, environment))
  addNumberCommands(telephony, environment)
  addCallCommands(telephony, environment)
  addSmsCommands(telephony, environment)
  command(telephony, 'routing', 'List the routing rules in their order').action((options) =>
    listRules(options, environment),
  )
  command(telephony, 'try', 'Show which rule would answer, and why each other rule would not')
    .requiredOption('--from <number>', 'the number of the caller or sender')
    .requiredOption('--to <number>', 'a number of the organization (number, id or label)')
    .option('--at <time>', 'the time of the call (default: now)')
    .option('--channel <channel>', 'voice or sms (default: voice)')
    .option('--text <text>', 'the text of the message')
    .action((options) => tryRouting(options, environment))
}
