import type { Command } from 'commander'
import { embeddings } from '../../../contract/knowledge/embeddings.ts'
import { command } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { print, printData, printMessage, printTable, sanitize } from '../../terminal.ts'

const HELP = `
API keys can’t set the model.

Examples:
  npx atrium embeddings show                                the model that finds passages by meaning, and its progress
  npx atrium embeddings test openai/text-embedding-3-small  embed a sentence, which the provider may bill
`

export function addEmbeddingsCommands(program: Command, environment: CliEnvironment): void {
  const group = program
    .command('embeddings')
    .description('Show and test the model that finds passages by meaning')
    .addHelpText('after', HELP)
    .exitOverride()
  command(group, 'show', 'Show the model and how many passages it has embedded').action((options) =>
    show(options, environment),
  )
  command(group, 'test [model]', 'Embed a sentence with this model, or the chosen one').action(
    (model, options) => test(model, options, environment),
  )
  command(group, 'set', 'Print the URL where you set the model').action((options) =>
    openSettings(options, environment),
  )
}

interface Options {
  server?: string
  json?: boolean
}

async function show(options: Options, environment: CliEnvironment): Promise<void> {
  const { server, client } = await connect(options.server, environment)
  const state = await parseResponse(server, embeddings.get, client.embeddings.get())
  if (options.json) return printData(state)
  const { model, progress } = state
  printTable([
    ['MODEL', 'STATE', 'SERVING', 'EMBEDDED'],
    [
      sanitize(model ?? '–'),
      state.state,
      sanitize(state.serving ?? '–'),
      progress ? `${progress.embedded}/${progress.passages}` : '–',
    ],
  ])
  if (state.problem !== null) printMessage(sanitize(state.problem))
}

async function test(model: string | undefined, options: Options, environment: CliEnvironment): Promise<void> {
  const { server, client } = await connect(options.server, environment)
  const call = client.embeddings.test(model === undefined ? {} : { model })
  const result = await parseResponse(server, embeddings.test, call)
  if (options.json) printData(result)
  if (!result.ok) throw new Failure('failed', sanitize(result.problem ?? 'The model isn’t responding'))
  if (!options.json)
    print(`The model responded in ${result.durationMs} ms with ${result.dimensions} dimensions`)
}

/** A leaked key could send all passages to another provider. */
async function openSettings(options: Options, environment: CliEnvironment): Promise<void> {
  const { server } = await connect(options.server, environment)
  throw new Failure(
    'refused',
    'Setting the embedding model requires the browser',
    `${server}/settings/organization/models`,
  )
}
