import type { Command } from 'commander'
import { command, LIMIT_DEFAULT, parseLimit } from '../../../command.ts'
import type { CliEnvironment } from '../../../config.ts'
import { listApprovals } from './list.ts'
import { showApproval } from './show.ts'

const HELP = `
An approval is decided in the browser, so that no API key can approve a call of an agent. A question of an agent is
also answered by a message in its session. Machine payments that need the approval of an owner or admin are counted
here; "atrium payments" lists them with a key that has the scope billing:machine:charge.

Examples:
  npx atrium approvals ls                         open approvals, each with its URL
  npx atrium approvals ls --decided --run 0199…   the decisions of a run
  npx atrium approvals show 0199…                 the exact input of the call
`

/** Adds `atrium approvals`. */
export function addApprovalCommands(program: Command, environment: CliEnvironment): void {
  const approvals = program
    .command('approvals')
    .description('List and show pending approvals and questions of agents')
    .addHelpText('after', HELP)
    .exitOverride()
  command(approvals, 'ls', 'List open approvals, newest first')
    .option('--decided', 'decided approvals instead')
    .option('--project <project>', 'approvals in this project (slug, id or name)')
    .option('--run <run>', 'approvals of this run')
    .option('--limit <count>', 'approvals to list, 1 to 100', parseLimit, LIMIT_DEFAULT)
    .action((options) => listApprovals(options, environment))
  command(approvals, 'show <approval>', 'Show an approval with the exact input of the call').action(
    (ref, options) => showApproval(ref, options, environment),
  )
}
