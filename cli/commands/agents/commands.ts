import type { Command } from 'commander'
import { command } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { applyAgents } from './apply.ts'
import { archiveAgent } from './archive.ts'
import { exportAgents } from './export.ts'
import { listAgents } from './list.ts'
import { showAgent } from './show.ts'

const HELP = `
<agent> is an id or a name. A file is YAML or JSON and contains one agent or several; settings that it does not name stay
as they are. A rule that allows a tool or a risk, and a higher budget, can be set in the dashboard only.

Examples:
  npx atrium agents export Researcher > researcher.yaml   write the settings of an agent to a file
  npx atrium agents apply researcher.yaml --dry-run       show what the file would change
  npx atrium agents apply researcher.yaml                 create the agent, or change the one with this name or id
  npx atrium agents export | npx atrium agents apply - --server https://other.example.com
`

/** Adds `atrium agents`. */
export function addAgentCommands(program: Command, environment: CliEnvironment): void {
  const agents = program
    .command('agents')
    .description('List, show, apply, export and archive agents')
    .addHelpText('after', HELP)
    .exitOverride()
  command(agents, 'ls', 'List agents by name')
    .option('--search <text>', 'agents whose name or description contains this text')
    .option('--archived', 'archived agents only')
    .action((options) => listAgents(options, environment))
  command(agents, 'show <agent>', 'Show the settings of an agent').action((ref, options) =>
    showAgent(ref, options, environment),
  )
  command(agents, 'apply <file>', 'Create or change agents as a file says; - reads standard input')
    .option('--dry-run', 'show the changes only')
    .action((file, options) => applyAgents(file, options, environment))
  command(agents, 'export [agent]', 'Print the settings of one agent or of all as YAML')
    .option('--ids', 'include the ids, by which apply then finds the agents')
    .action((ref, options) => exportAgents(ref, options, environment))
  command(agents, 'archive <agent>', 'Archive an agent').action((ref, options) =>
    archiveAgent(ref, options, environment),
  )
}
