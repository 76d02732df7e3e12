import type { Command } from 'commander'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { modelProviders } from '../../../contract/models/model-providers.ts'
import { models } from '../../../contract/models/models.ts'
import { command } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { print, printData, printMessage, printTable, sanitize } from '../../terminal.ts'

const HELP = `
<provider> is the id, slug or name of a provider that your organization added. API keys can’t add or delete providers,
or set prices.

Examples:
  npx atrium models ls               models with context window, image support and price; without a provider, the test models
  npx atrium models test openrouter  ask the provider for its models now
`

export function addModelCommands(program: Command, environment: CliEnvironment): void {
  const models = program
    .command('models')
    .description('List language models, and list and test their providers')
    .addHelpText('after', HELP)
    .exitOverride()
  command(models, 'ls', 'List models with context window, image support and price').action((options) =>
    listModels(options, environment),
  )
  command(models, 'providers', 'List model providers with their status').action((options) =>
    listProviders(options, environment),
  )
  command(models, 'test <provider>', 'Test whether a provider responds').action((ref, options) =>
    testProvider(ref, options, environment),
  )
  command(
    models,
    'price <model>',
    'Print the URL where you set a model’s price, context window and image support',
  ).action((model, options) => setPrice(model, options, environment))
  command(models, 'add', 'Print the URL where you add a provider').action((options) =>
    addProvider(options, environment),
  )
  command(models, 'rm <provider>', 'Print the URL where you delete a provider').action((ref, options) =>
    removeProvider(ref, options, environment),
  )
}

interface ModelOptions {
  server?: string
  json?: boolean
}

async function listModels(options: ModelOptions, environment: CliEnvironment): Promise<void> {
  const list = await readModels(options, environment)
  if (options.json) return printData(list)
  const dollars = (price: number | undefined) => (price === undefined ? '–' : `$${price}`)
  const rows = list.items.map(({ id, contextWindow, modalities, pricing, availability, isTest }) => [
    sanitize(id),
    contextWindow?.toLocaleString('en-US') ?? '–',
    modalities.input.includes('image') ? 'yes' : 'no',
    dollars(pricing?.input),
    dollars(pricing?.output),
    isTest ? 'test model' : availability,
  ])
  printTable([['MODEL', 'CONTEXT', 'IMAGES', 'INPUT/1M', 'OUTPUT/1M', 'STATUS'], ...rows])
  if (list.hint) printMessage(sanitize(list.hint))
}

async function listProviders(options: ModelOptions, environment: CliEnvironment): Promise<void> {
  const { providers, hint } = await readModels(options, environment)
  if (options.json) return printData({ providers })
  const rows = providers.map(({ id, name, source, availability, problem }) => [
    sanitize(id),
    sanitize(name),
    source,
    availability,
    sanitize(problem ?? ''),
  ])
  printTable([['ID', 'NAME', 'SOURCE', 'STATUS', 'PROBLEM'], ...rows])
  if (hint) printMessage(sanitize(hint))
}

/** A leaked key could mark every model as free and so lift all budgets. */
async function setPrice(model: string, options: ModelOptions, environment: CliEnvironment): Promise<void> {
  const { server } = await connect(options.server, environment)
  const url = `${server}/settings/organization/models?model=${encodeURIComponent(model)}`
  throw new Failure('refused', `You can only set the price of ${model} in the browser`, url)
}

async function readModels({ server: serverOption }: ModelOptions, environment: CliEnvironment) {
  const { server, client } = await connect(serverOption, environment)
  const list = await parseResponse(server, models.list, client.models.list({}))
  if ('object' in list) throw new Failure('failed', 'The server responded in an unexpected format')
  return list
}

interface ProviderOptions {
  server?: string
  json?: boolean
}

type Provider = OutputOf<typeof modelProviders.get>

/** A key can't manage providers, so a leaked key can't redirect conversations. */
async function addProvider(options: ProviderOptions, environment: CliEnvironment): Promise<void> {
  const { server } = await connect(options.server, environment)
  throw browserOnly('Adding a model provider', `${server}/settings/organization/models/new`)
}

async function removeProvider(
  ref: string,
  options: ProviderOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { name } = await findProvider(connection, ref)
  throw browserOnly(
    `Deleting the model provider ${name}`,
    `${connection.server}/settings/organization/models`,
  )
}

async function testProvider(
  ref: string,
  options: ProviderOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id, name } = await findProvider(connection, ref)
  const result = await parseResponse(server, modelProviders.test, client.modelProviders.test({ id }))
  if (options.json) printData({ id, name, ...result })
  if (!result.ok) throw new Failure('failed', `${name}: ${result.problem ?? 'the provider isn’t responding'}`)
  if (!options.json) print(`${sanitize(name)} responds with ${result.modelCount} models`)
}

async function findProvider({ server, client }: Connection, ref: string): Promise<Provider> {
  const { items } = await parseResponse(server, modelProviders.list, client.modelProviders.list())
  const found = items.filter(({ id, slug, name }) => [id, slug, name].includes(ref))
  if (found.length === 1) return found[0]!
  if (found.length > 1) throw new Failure('usage', `${found.length} providers are named ${ref}: use an id`)
  const slugs = items.map(({ slug }) => slug).join(', ')
  throw new Failure(
    'failed',
    `The organization has no model provider ${ref}`,
    slugs ? `Providers: ${slugs}` : 'The operator configures this server’s providers.',
  )
}

const browserOnly = (action: string, url: string) =>
  new Failure('refused', `${action} requires the browser`, url)
