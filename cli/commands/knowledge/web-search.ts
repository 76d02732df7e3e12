import type { Command } from 'commander'
import { webSearch } from '../../../contract/knowledge/web-search.ts'
import { command } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { print, printData, printMessage, printTable, sanitize } from '../../terminal.ts'

const HELP = `
API keys can’t set or remove the provider.

Examples:
  npx atrium web-search show  the provider with which agents search the web, and a run’s limits
  npx atrium web-search test  send one search, which the provider may bill
`

export function addWebSearchCommands(program: Command, environment: CliEnvironment): void {
  const search = program
    .command('web-search')
    .description('Show and test the provider with which agents search the web')
    .addHelpText('after', HELP)
    .exitOverride()
  command(search, 'show', 'Show the provider and the limits of a run').action((options) =>
    show(options, environment),
  )
  command(search, 'test', 'Send one search to the provider').action((options) => test(options, environment))
  command(search, 'set', 'Print the URL where you set the provider').action((options) =>
    openSettings(options, environment),
  )
}

interface Options {
  server?: string
  json?: boolean
}

async function show(options: Options, environment: CliEnvironment): Promise<void> {
  const { server, client } = await connect(options.server, environment)
  const state = await parseResponse(server, webSearch.get, client.webSearch.get())
  if (options.json) return printData(state)
  const { provider, hint, limits } = state
  printTable([
    ['PROVIDER', 'SOURCE', 'SEARCHES/RUN', 'PAGES/RUN'],
    [
      sanitize(provider?.name ?? '–'),
      provider?.source ?? '–',
      String(limits.searchesPerRun),
      String(limits.fetchesPerRun),
    ],
  ])
  if (hint) printMessage(sanitize(hint))
}

async function test(options: Options, environment: CliEnvironment): Promise<void> {
  const { server, client } = await connect(options.server, environment)
  const result = await parseResponse(server, webSearch.test, client.webSearch.test())
  if (options.json) printData(result)
  if (!result.ok) throw new Failure('failed', sanitize(result.problem ?? 'The provider isn’t responding'))
  if (!options.json) print(`The provider found ${result.resultCount} results in ${result.durationMs} ms`)
}

/** A key can't set the provider, so a leaked key can't redirect what agents search for. */
async function openSettings(options: Options, environment: CliEnvironment): Promise<void> {
  const { server } = await connect(options.server, environment)
  throw new Failure(
    'refused',
    'Setting the web search provider requires the browser',
    `${server}/settings/organization/web-search`,
  )
}
