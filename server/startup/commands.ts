import { Command, CommanderError } from 'commander'
import atrium from '../../package.json' with { type: 'json' }
import { ACCEPT_NEW_SECRET } from '../database/installation-state.ts'
import { explain } from './explain.ts'
import { addOrganizationCommands } from './organizations/commands.ts'

const EXIT_CODES = { failed: 1, usage: 2, interrupted: 130 }

const HELP = `
The commands read the server’s environment variables; see docs/operate/configuration.md and docs/operate/operations.md.

Exit codes:
  0 success   1 failed   2 wrong usage   130 interrupted
`

/** Each command imports only its own modules. */
export async function run(args: string[]): Promise<void> {
  try {
    await createProgram().parseAsync(hasCommand(args) ? args : ['start', ...args], { from: 'user' })
  } catch (error) {
    // Commander has already printed the error or help.
    if (!(error instanceof CommanderError)) throw error
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_CODES.usage
  }
}

/** False for options without a command, such as `npm start -- --accept-new-secret`. */
const hasCommand = ([first]: string[]) => first !== ACCEPT_NEW_SECRET

function createProgram(): Command {
  const program = new Command('atrium-server')
    .description('The Atrium server')
    .version(atrium.version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'Show help for a command')
    .addHelpText('after', HELP)
    .exitOverride()
  program
    .command('start')
    .description('Start the server (the default command)')
    .option(ACCEPT_NEW_SECRET, 'accept a secret that differs from earlier starts')
    .exitOverride()
    .action(async ({ acceptNewSecret }: { acceptNewSecret?: boolean }) => {
      const { start } = await import('./start.ts')
      await start({ acceptsNewSecret: acceptNewSecret })
    })
  program
    .command('backup <target>')
    .description('Copy database and files into a new folder while the server runs')
    .exitOverride()
    .action((target: string) =>
      runInterruptibly('The backup failed.', async (signal) => {
        const { runBackup } = await import('../backup/commands.ts')
        return runBackup(target, signal)
      }),
    )
  program
    .command('restore <source>')
    .description('Fill an empty data folder or database with a backup')
    .option(ACCEPT_NEW_SECRET, 'restore without the backup’s secret; encrypted values are lost')
    .exitOverride()
    .action((source: string, { acceptNewSecret = false }: { acceptNewSecret?: boolean }) =>
      runInterruptibly('The restore failed.', async (signal) => {
        const { runRestore } = await import('../backup/commands.ts')
        return runRestore(source, acceptNewSecret, signal)
      }),
    )
  program
    .command('check')
    .description('Check an installation for production')
    .option('--json', 'print JSON')
    .exitOverride()
    .action((options: { json?: boolean }) =>
      runInterruptibly('The check failed.', async () => {
        const { runCheck } = await import('./checklist/checklist.ts')
        return runCheck(options)
      }),
    )
  program
    .command('status')
    .description('Show the running installation’s queues, failures, processes and storage')
    .option('--json', 'print JSON')
    .exitOverride()
    .action((options: { json?: boolean }) =>
      runInterruptibly('The status cannot be read.', async () => {
        const { runStatus } = await import('./status.ts')
        return runStatus(options)
      }),
    )
  addOrganizationCommands(program, (failure, work) =>
    runInterruptibly(failure, async (signal) => {
      await work(await import('./organizations/run.ts'), signal)
      return 'ok'
    }),
  )
  return program
}

/** The first signal lets the command clean up. A second exits immediately. */
async function runInterruptibly(
  failure: string,
  work: (signal: AbortSignal) => Promise<'ok' | 'failed'>,
): Promise<void> {
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      interruption.abort()
      process.once(signal, () => process.exit(EXIT_CODES.interrupted))
    })
  }
  try {
    const outcome = await work(interruption.signal)
    process.exitCode = outcome === 'ok' ? 0 : EXIT_CODES.failed
  } catch (error) {
    const { aborted } = interruption.signal
    process.stderr.write(aborted ? '\nInterrupted.\n' : `\n${failure}\n${explain(error)}\n`)
    process.exitCode = aborted ? EXIT_CODES.interrupted : EXIT_CODES.failed
  }
  process.exit()
}
