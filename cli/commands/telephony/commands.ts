import type { Command } from 'commander'
import { counted } from '../../../contract/counted.ts'
import { telephony } from '../../../contract/telephony/telephony.ts'
import { command } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { print, printData, printMessage, sanitize, style } from '../../terminal.ts'
import { costText } from '../agents/runs/labels.ts'
import { addCallCommands, printCalls } from './calls.ts'
import { addNumberCommands, printNumbers } from './numbers.ts'
import { listRules, tryRouting } from './routing.ts'
import { addSmsCommands } from './sms.ts'

const HELP = `
<number> is a phone number with its country code, such as +4930123456; for the organization’s numbers, an id or
label works too. <call> is an id, or \`last\` for the newest call. Edit rules in the dashboard, with step-up.

Examples:
  npx atrium telephony                                            numbers, calls in progress, problems
  npx atrium telephony numbers import +4930123456 --project support
  npx atrium telephony calls --open
  npx atrium telephony calls make +4930654321 --agent Assistant --task 'Confirm the appointment on Friday'
  npx atrium telephony sms send +4915112345678 'Your table is ready'
  npx atrium telephony try --from +4915112345678 --to +4930123456 --at 2027-01-04T20:00:00Z
`

export function addTelephonyCommands(program: Command, environment: CliEnvironment): void {
  const telephony = program
    .command('telephony')
    .description('Manage phone numbers, calls, text messages and routing')
    .addHelpText('after', HELP)
    .exitOverride()
  command(telephony, 'overview', 'Show numbers, calls in progress, problems and totals', {
    isDefault: true,
  }).action((options) => showOverview(options, environment))
  addNumberCommands(telephony, environment)
  addCallCommands(telephony, environment)
  addSmsCommands(telephony, environment)
  command(telephony, 'routing', 'List routing rules in order').action((options) =>
    listRules(options, environment),
  )
  command(telephony, 'try', 'Show which rule would answer, and why the others would not')
    .requiredOption('--from <number>', 'caller’s or sender’s number')
    .requiredOption('--to <number>', 'organization number (number, id or label)')
    .option('--at <time>', 'the time of the call (default: now)')
    .option('--channel <channel>', 'voice or sms (default: voice)')
    .option('--text <text>', 'message text')
    .action((options) => tryRouting(options, environment))
}

async function showOverview(
  options: { server?: string; json?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const { server, client } = await connect(options.server, environment)
  const overview = await parseResponse(server, telephony.overview, client.telephony.overview())
  if (options.json) return printData(overview)
  const { configured, numbers, activeCalls, lastDay, days, problems } = overview
  if (numbers.length === 0)
    return printMessage(
      configured
        ? 'No numbers. Import one with `npx atrium telephony numbers import +49…`.'
        : 'No carrier account. Connect one with `npx atrium connections connect twilio`.',
    )
  printNumbers(numbers)
  if (activeCalls.length > 0) {
    heading('In progress')
    printCalls(activeCalls)
  }
  if (problems.length > 0) {
    heading('Problems')
    for (const { message } of problems) print(style('red', sanitize(message), process.stdout))
  }
  print()
  const { calls, missed, received, sent, failed } = lastDay
  print(
    `Last 24 hours  ${counted(calls, 'call')}, ${missed} missed; ${counted(received, 'message')} received, ${sent} sent, ${failed} failed`,
  )
  const total = (field: 'calls' | 'minutes' | 'messages') => days.reduce((sum, day) => sum + day[field], 0)
  const amount = days.reduce((sum, { cost }) => sum + Number(cost), 0).toFixed(6)
  print(
    `Last 30 days   ${counted(total('calls'), 'call')}, ${counted(total('minutes'), 'minute')}, ${counted(total('messages'), 'message')}, ${costText({ amount })}`,
  )
}

const heading = (text: string) => print(`\n${style('bold', text, process.stdout)}`)
