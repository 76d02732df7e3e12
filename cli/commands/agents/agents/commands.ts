import type { Command } from 'commander'
import { command } from '../../../command.ts'
import type { CliEnvironment } from '../../../config.ts'
import { applyAgents } from './apply.ts'
import { archiveAgent } from './archive.ts'
import { exportAgents } from './export.ts'
import { listAgents } from './list.ts'
import { showAgent } from './show.ts'

const HELP = `
<agent> is an id or a name. A file is YAML or JSON with the sections skills, guardrails, agents and schedules; settings that it
does not name stay as they are. Agents name their skills and guardrails, and schedules their agent. Skills and guardrails are
confirmed in the browser; a rule that allows a tool or a risk, and a higher budget, can be set in the dashboard only.

Examples:
  npx atrium agents export Researcher > researcher.yaml   write an agent, its skills, guardrails and schedules
  npx atrium agents apply researcher.yaml --dry-run       show the changes of the file
  npx atrium agents apply researcher.yaml                 show the plan, ask, and apply it
  npx atrium agents export --all | npx atrium agents apply - --yes --server https://other.example.com
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
  command(
    agents,
    'apply <file>',
    'Create or change agents, skills, guardrails and schedules from a file; - reads standard input',
  )
    .option('--dry-run', 'show the plan only')
    .option('--yes', 'do not ask for confirmation')
    .option('--no-browser', 'print the URL that confirms skills and guardrails, and open no browser')
    .option('--wait', 'wait for the browser, also without a terminal')
    .option('--no-wait', 'do not wait for the browser')
    .action((file, options) => applyAgents(file, options, environment))
  command(
    agents,
    'export [agents...]',
    'Print agents and their skills, guardrails and schedules as YAML for apply',
  )
    .option('--all', 'all agents, skills, guardrails and schedules, instead of named agents')
    .option('--ids', 'include the ids, so that apply finds records by id')
    .action((refs, options) => exportAgents(refs, options, environment))
  command(agents, 'archive <agent>', 'Archive an agent').action((ref, options) =>
    archiveAgent(ref, options, environment),
  )
}
