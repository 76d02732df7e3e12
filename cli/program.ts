import { Command, CommanderError } from 'commander'
import { SEARCH_TYPES } from '../contract/search/search-options.ts'
import atrium from '../package.json' with { type: 'json' }
import { command, LIMIT_DEFAULT, parseLimit } from './command.ts'
import { createKey, listKeys, renameKey, revokeKey, showKey } from './commands/accounts/keys.ts'
import { login, logout, whoami } from './commands/accounts/login.ts'
import { addAgentCommands } from './commands/agents/agents/commands.ts'
import { addApprovalCommands } from './commands/agents/approvals.ts'
import { addChatCommands } from './commands/agents/chat/commands.ts'
import { addFormCommands } from './commands/agents/forms.ts'
import { addGuardrailCommands } from './commands/agents/guardrails.ts'
import { addMcpServerCommands } from './commands/agents/mcp-servers.ts'
import { addRunCommands } from './commands/agents/runs/commands.ts'
import { addScheduleCommands } from './commands/agents/schedules.ts'
import { addPaymentCommands } from './commands/billing/payments.ts'
import { addUsageCommands } from './commands/billing/usage.ts'
import { addCommentCommands } from './commands/comments/comments.ts'
import { addConnectionCommands } from './commands/connections/commands.ts'
import { addFileCommands } from './commands/files/commands.ts'
import { showHome } from './commands/home/home.ts'
import { addEmbeddingsCommands } from './commands/knowledge/embeddings.ts'
import { addKnowledgeCommands } from './commands/knowledge/knowledge.ts'
import { addMemoryCommands } from './commands/knowledge/memory/commands.ts'
import { addSkillCommands } from './commands/knowledge/skills.ts'
import { addSourceCommands } from './commands/knowledge/sources.ts'
import { addWebSearchCommands } from './commands/knowledge/web-search.ts'
import { addMcpCommands } from './commands/mcp/commands.ts'
import { addModelCommands } from './commands/models/models.ts'
import { listAudit } from './commands/organizations/audit.ts'
import { listQuotas } from './commands/organizations/quotas.ts'
import { addProjectCommands } from './commands/projects/projects/commands.ts'
import { addTableCommands } from './commands/projects/tables.ts'
import { addTemplateCommands } from './commands/projects/templates.ts'
import { searchEverything } from './commands/search/search.ts'
import { addTelephonyCommands } from './commands/telephony/commands.ts'
import { addWebhookCommands } from './commands/webhooks/commands.ts'
import type { CliEnvironment } from './config.ts'
import { blameEnvironment, EXIT_CODES, explain } from './failure.ts'
import { exitWith } from './terminal.ts'

const HELP = `
Environment:
  ATRIUM_SERVER   server URL; overrides the server you last signed in to
  ATRIUM_API_KEY  API key; overrides stored credentials
  NO_COLOR        disables colors

Exit codes:
  0 success   1 failed   2 wrong usage   3 not signed in   4 refused   5 server unreachable   130 interrupted
  141 the program reading the output has exited, such as head
`

/** Sets `process.exitCode`. */
export async function run(args: string[], environment: CliEnvironment): Promise<void> {
  try {
    await createProgram(environment).parseAsync(args, { from: 'user' })
  } catch (error) {
    // Commander has already printed the error or the help.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : EXIT_CODES.usage
    else {
      const failure = explain(error, 'The server')
      exitWith(environment.apiKey ? blameEnvironment(failure) : failure)
    }
  }
}

function createProgram(environment: CliEnvironment): Command {
  const program = new Command('atrium')
    .description('The Atrium command line')
    .version(atrium.version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'Show help for a command')
    .configureOutput({
      writeOut: (text) => process.stdout.write(text),
      writeErr: (text) => process.stderr.write(text),
    })
    .addHelpText('after', HELP)
    // An option after a subcommand belongs to the subcommand: `chat` and `chat ls` share option names.
    .enablePositionalOptions()
    .exitOverride()

  command(program, 'login', 'Sign in through the browser')
    .option('--no-browser', 'print the URL only')
    .option('--read-only', 'request a read-only key')
    .action((options) => login(options, environment))
  command(program, 'logout', 'Sign out, revoking and removing the stored key').action((options) =>
    logout(options, environment),
  )
  command(program, 'whoami', 'Show the current user, server and key').action((options) =>
    whoami(options, environment),
  )
  command(program, 'home', 'Show pending decisions and problems').action((options) =>
    showHome(options, environment),
  )
  command(program, 'search [words...]', 'Search names and contents in everything you can see')
    .option('--type <type...>', SEARCH_TYPES.join(', '))
    .option('--project <project>', 'only in this project (slug, id or name)')
    .option('--limit <count>', 'results, 1 to 100', parseLimit, LIMIT_DEFAULT)
    .action((words, options) => searchEverything(words, options, environment))
  command(program, 'quotas', 'Show the organization’s usage and limits').action((options) =>
    listQuotas(options, environment),
  )

  command(program, 'audit', 'Show the audit log (owners and admins only)')
    .option('--search <words>', 'words from the actor, action or target')
    .option('--action <action>', 'only entries with this action, for example api-key.created')
    .option('--since <time>', 'only entries since this time, for example 2027-01-31 or 7d')
    .option('--until <time>', 'only entries before this time')
    .action((options) => listAudit(options, environment))

  const keys = program
    .command('keys')
    .description('List, show, rename, create and revoke API keys')
    .addHelpText(
      'after',
      '\n<key> is an id or a name. API keys can’t create or revoke other keys. Use the dashboard.\n',
    )
    .exitOverride()
  command(keys, 'ls', 'List your API keys').action((options) => listKeys(options, environment))
  command(keys, 'show <key>', 'Show what a key can do and how it’s used').action((key, options) =>
    showKey(key, options, environment),
  )
  command(keys, 'rename <key> <name>', 'Rename a key').action((key, name, options) =>
    renameKey(key, name, options, environment),
  )
  command(keys, 'create', 'Open the page that creates a key, then print the key without its secret')
    .option('--no-browser', 'print the URL only')
    .option('--wait', 'wait until the key exists (default in a terminal)')
    .option('--no-wait', 'don’t wait')
    .option('--read-only', 'select a read-only key')
    .option('--expires <days>', 'select when it expires: 7d, 30d, 90d or 365d')
    .action((options) => createKey(options, environment))
  command(keys, 'revoke <key>', 'Revoke the stored key, or print the URL where you revoke another').action(
    (key, options) => revokeKey(key, options, environment),
  )

  addChatCommands(program, environment)
  addRunCommands(program, environment)
  addApprovalCommands(program, environment)
  addFormCommands(program, environment)
  addAgentCommands(program, environment)
  addGuardrailCommands(program, environment)
  addScheduleCommands(program, environment)
  addSourceCommands(program, environment)
  addCommentCommands(program, environment)
  addKnowledgeCommands(program, environment)
  addMemoryCommands(program, environment)
  addSkillCommands(program, environment)
  addModelCommands(program, environment)
  addEmbeddingsCommands(program, environment)
  addWebSearchCommands(program, environment)
  addUsageCommands(program, environment)
  addPaymentCommands(program, environment)
  addProjectCommands(program, environment)
  addTableCommands(program, environment)
  addTemplateCommands(program, environment)
  addFileCommands(program, environment)
  addMcpCommands(program, environment)
  addWebhookCommands(program, environment)
  addMcpServerCommands(program, environment)
  addConnectionCommands(program, environment)
  addTelephonyCommands(program, environment)
  return program
}
