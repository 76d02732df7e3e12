import type { OutputOf } from '../../../contract/endpoint.ts'
import { modelProviders } from '../../../contract/models/model-providers.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { print, printData, sanitize } from '../../terminal.ts'

interface ProviderOptions {
  server?: string
  json?: boolean
}

type Provider = OutputOf<typeof modelProviders.get>

/** A key cannot manage providers, so that a leaked key cannot redirect conversations. */
export async function addProvider(options: ProviderOptions, environment: CliEnvironment): Promise<void> {
  const { server } = await connect(options.server, environment)
  throw browserOnly('Adding a model provider', `${server}/settings/organization/models/new`)
}

export async function removeProvider(
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

/** Asks a provider of the organization for its models now. */
export async function testProvider(
  ref: string,
  options: ProviderOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id, name } = await findProvider(connection, ref)
  const result = await parseResponse(server, modelProviders.test, client.modelProviders.test({ id }))
  if (options.json) printData({ id, name, ...result })
  if (!result.ok) throw new Failure('failed', `${name}: ${result.problem ?? 'the provider does not respond'}`)
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
    slugs ? `Providers: ${slugs}` : 'The operator configures the providers of the server.',
  )
}

const browserOnly = (action: string, url: string) =>
  new Failure('refused', `${action} requires the browser`, url)
