import { models } from '../../../contract/models/models.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { printData, printMessage, printTable, sanitize } from '../../terminal.ts'

interface ModelOptions {
  server?: string
  json?: boolean
}

/** Every model that the organization can use, with context window and price per million tokens. */
export async function listModels(options: ModelOptions, environment: CliEnvironment): Promise<void> {
  const list = await readModels(options, environment)
  if (options.json) return printData(list)
  const dollars = (price: number | undefined) => (price === undefined ? '–' : `$${price}`)
  const rows = list.items.map(({ id, contextWindow, pricing, availability, isTest }) => [
    sanitize(id),
    contextWindow?.toLocaleString('en-US') ?? '–',
    dollars(pricing?.input),
    dollars(pricing?.output),
    isTest ? 'test model' : availability,
  ])
  printTable([['MODEL', 'CONTEXT', 'INPUT/1M', 'OUTPUT/1M', 'STATUS'], ...rows])
  if (list.hint) printMessage(sanitize(list.hint))
}

/** Every provider with its status. */
export async function listProviders(options: ModelOptions, environment: CliEnvironment): Promise<void> {
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

/** The browser sets prices: a leaked key could otherwise count every model as free and so lift all budgets. */
export async function setPrice(
  model: string,
  options: ModelOptions,
  environment: CliEnvironment,
): Promise<void> {
  const { server } = await connect(options.server, environment)
  const url = `${server}/settings/organization/models?model=${encodeURIComponent(model)}`
  throw new Failure('refused', `Setting the price of ${model} requires the browser`, url)
}

async function readModels({ server: serverOption }: ModelOptions, environment: CliEnvironment) {
  const { server, client } = await connect(serverOption, environment)
  const list = await parseResponse(server, models.list, client.models.list({}))
  if ('object' in list) throw new Failure('failed', 'The server responded in an unexpected format')
  return list
}
