import type { Command } from 'commander'
import { command } from '../../../command.ts'
import type { CliEnvironment } from '../../../config.ts'
import { createSchedule } from './create.ts'
import { listSchedules } from './list.ts'
import { deleteSchedule, runSchedule, setEnabled } from './manage.ts'

const HELP = `
<schedule> is an id or a name. A schedule runs with the rights of the member or key that last changed its action.

Examples:
  npx atrium schedules create --project launch-plan --cron '0 9 * * 1-5' --zone Europe/Berlin 'What is open today?'
  npx atrium schedules create --project launch-plan --cron '0 18 L * *' --block 0199…
  npx atrium schedules ls
  npx atrium schedules pause 'What is open today?'
  npx atrium runs ls --trigger schedule           its runs
`

/** Adds `atrium schedules`. */
export function addScheduleCommands(program: Command, environment: CliEnvironment): void {
  const schedules = program
    .command('schedules')
    .description('List, create, pause, resume, run and delete schedules')
    .addHelpText('after', HELP)
    .exitOverride()
  command(schedules, 'ls', 'List schedules, newest first')
    .option('--project <project>', 'schedules of this project (slug, id or name)')
    .action((options) => listSchedules(options, environment))
  command(
    schedules,
    'create [message]',
    'Create a schedule that sends a message to an agent, or runs a block',
  )
    .requiredOption('--project <project>', 'its project (slug, id or name)')
    .requiredOption('--cron <expression>', 'minute, hour, day of the month, month, day of the week')
    .option('--zone <zone>', 'the time zone, such as Europe/Berlin (default: that of this machine)')
    .option('--agent <agent>', 'the agent (id or name)')
    .option('--block <id>', 'the agent block to run instead of a message')
    .option('--name <name>', 'its name')
    .action((message, options) => createSchedule(message, options, environment))
  command(schedules, 'pause <schedule>', 'Stop starting runs').action((ref, options) =>
    setEnabled(ref, false, options, environment),
  )
  command(schedules, 'resume <schedule>', 'Start runs again, with your rights').action((ref, options) =>
    setEnabled(ref, true, options, environment),
  )
  command(schedules, 'run <schedule>', 'Start a run now').action((ref, options) =>
    runSchedule(ref, options, environment),
  )
  command(schedules, 'rm <schedule>', 'Delete a schedule; its runs stay').action((ref, options) =>
    deleteSchedule(ref, options, environment),
  )
}
