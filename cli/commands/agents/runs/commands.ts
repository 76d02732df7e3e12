import type { Command } from 'commander'
import { command, LIMIT_DEFAULT, parseLimit } from '../../../command.ts'
import type { CliEnvironment } from '../../../config.ts'
import { listChanges } from './changes.ts'
import { cancelRun, retryRun } from './control.ts'
import { followOne } from './follow.ts'
import { listRuns } from './list.ts'
import { showRun } from './show.ts'
import { undoRun } from './undo.ts'

const HELP = `
<run> is an id, or \`last\` for the newest run that you can see.

Examples:
  npx atrium runs ls --status failed --since 24h
  npx atrium runs show last                       its steps, tool calls, tokens and cost
  npx atrium runs follow last                     its text and tool calls while they happen
  npx atrium runs follow 0199… --json             one event per line
  npx atrium runs retry last --follow             ask the agent again after a failure
  npx atrium runs changes last                    the blocks, files and memories that it changed
  npx atrium runs undo last --dry-run             what an undo would change
`

/** Adds `atrium runs`. */
export function addRunCommands(program: Command, environment: CliEnvironment): void {
  const runs = program
    .command('runs')
    .description('List, show, follow, cancel, retry and undo runs of agents')
    .addHelpText('after', HELP)
    .exitOverride()
  command(runs, 'ls', 'List runs, newest first')
    .option('--project <project>', 'runs in this project (slug, id or name)')
    .option('--agent <agent>', 'runs of this agent (id or name)')
    .option('--session <id>', 'runs of this session')
    .option('--status <status>', 'runs with this status, such as waiting or failed')
    .option('--trigger <trigger>', 'runs with this trigger, such as message or block')
    .option('--since <time>', 'runs since a time, or since 90m, 24h or 7d ago')
    .option('--limit <count>', 'runs to list, 1 to 100', parseLimit, LIMIT_DEFAULT)
    .action((options) => listRuns(options, environment))
  command(runs, 'show <run>', 'Show a run with its steps and tool calls').action((ref, options) =>
    showRun(ref, options, environment),
  )
  command(runs, 'follow <run>', 'Show a run from its start until it ends; leaving does not cancel it').action(
    (ref, options) => followOne(ref, options, environment),
  )
  command(runs, 'cancel <run>', 'Cancel a run').action((ref, options) => cancelRun(ref, options, environment))
  command(runs, 'retry <run>', 'Start a failed or canceled run again, in the same session')
    .option('--follow', 'show the new run until it ends')
    .action((ref, options) => retryRun(ref, options, environment))
  command(runs, 'changes <run>', 'List the blocks, edges, files and memories that a run changed').action(
    (ref, options) => listChanges(ref, options, environment),
  )
  command(runs, 'undo <run>', 'Undo the changes of a run; an undo is a run that can be undone')
    .option('--dry-run', 'show the plan only')
    .option('--force', 'also revert items that were edited since the run')
    .option('--yes', 'skip the confirmation')
    .action((ref, options) => undoRun(ref, options, environment))
}
