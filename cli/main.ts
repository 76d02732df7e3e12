import { Command, CommanderError } from 'commander'
import atrium from '../package.json' with { type: 'json' }
import { command } from './command.ts'
import { addFileCommands } from './commands/files/commands.ts'
import { createKey, listKeys, renameKey, revokeKey } from './commands/keys.ts'
import { login } from './commands/login.ts'
import { logout } from './commands/logout.ts'
import { addProjectCommands } from './commands/projects/commands.ts'
import { addWebhookCommands } from './commands/webhooks/commands.ts'
import { whoami } from './commands/whoami.ts'
import { readSurroundings } from './config.ts'
import { EXIT_CODES, explain } from './failure.ts'
import { exitWith } from './terminal.ts'

const HELP = `
Environment:
  ATRIUM_SERVER   the server, instead of the one signed in to last
  ATRIUM_API_KEY  an API key, instead of signing in
  NO_COLOR        no colours

Exit codes:
  0 done   1 failed   2 wrong usage   3 not signed in   4 refused   5 server unreachable   130 interrupted
`

const around = readSurroundings()
const program = new Command('atrium')
  .description('Atrium in the terminal')
  .version(atrium.version)
  .addHelpText('after', HELP)
  .exitOverride()
  .configureHelp({ showGlobalOptions: true })

command(program, 'login', 'Sign this terminal in through the browser')
  .option('--no-browser', 'only show the page, do not open it')
  .action((options) => login(options, around))
command(program, 'logout', 'Revoke this terminal’s key and forget it').action((options) =>
  logout(options, around),
)
command(program, 'whoami', 'Show who is signed in, and where').action((options) => whoami(options, around))

const keys = program.command('keys').description('Your API keys').exitOverride()
command(keys, 'list', 'List your API keys').action((options) => listKeys(options, around))
command(keys, 'rename <key> <name>', 'Rename a key, given by its id or name').action((key, name, options) =>
  renameKey(key, name, options, around),
)
command(keys, 'create', 'Show where to create a key').action((options) => createKey(options, around))
command(keys, 'revoke <key>', 'Revoke this terminal’s own key, or show where to revoke another').action(
  (key, options) => revokeKey(key, options, around),
)

addFileCommands(program, around)
addProjectCommands(program, around)
addWebhookCommands(program, around)

process.on('SIGINT', () => process.exit(EXIT_CODES.interrupted))
await run()

async function run(): Promise<void> {
  try {
    await program.parseAsync()
  } catch (error) {
    // Commander has already said what is wrong, or shown the help that was asked for.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : EXIT_CODES.usage
    else exitWith(explain(error, 'The server'))
  }
}
