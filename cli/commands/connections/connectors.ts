import { CONNECTOR_CATEGORY_NAMES } from '../../../contract/connections/connector-options.ts'
import { connectors } from '../../../contract/connections/connectors.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { parseChoice } from '../../parse.ts'
import { print, printData, printMessage, printTable, sanitize } from '../../terminal.ts'

export type Connector = OutputOf<typeof connectors.get>

interface Options {
  server?: string
  json?: boolean
}

interface ListOptions extends Options {
  category?: string
  search?: string
}

export async function listConnectors(options: ListOptions, environment: CliEnvironment): Promise<void> {
  const category = parseChoice('category', CONNECTOR_CATEGORY_NAMES, options.category)
  const { server, client } = await connect(options.server, environment)
  const list = client.connectors.list({ category, search: options.search })
  const { items } = await parseResponse(server, connectors.list, list)
  if (options.json) return printData({ items })
  if (items.length === 0) return printMessage('No connectors match')
  printTable([['SLUG', 'NAME', 'CATEGORY', 'AUTH', 'TOOLS', 'AVAILABILITY'], ...items.map(rowOf)])
}

const rowOf = ({ slug, name, category, authType, tools, availability }: Connector): string[] => [
  sanitize(slug),
  sanitize(name),
  category,
  authType,
  String(tools.length),
  availability,
]

export async function showConnector(
  slug: string,
  options: Options,
  environment: CliEnvironment,
): Promise<void> {
  const { server, client } = await connect(options.server, environment)
  const connector = await parseResponse(server, connectors.get, client.connectors.get({ slug }))
  if (options.json) return printData(connector)
  print(`${sanitize(connector.name)}  ${sanitize(connector.description)}`)
  if (connector.availabilityReason)
    print(`${connector.availability}: ${sanitize(connector.availabilityReason)}`)
  const fields = [...connector.configFields, ...(connector.credentialFields ?? [])]
  if (fields.length > 0) {
    print()
    const rows = fields.map(({ key, label, required, hint }) => [
      sanitize(key),
      required ? 'required' : 'optional',
      sanitize([label, hint].filter(Boolean).join('. ')),
    ])
    printTable([['FIELD', '', ''], ...rows])
  }
  print()
  const tools = connector.tools.map(({ name, effect, risk, description }) => [
    sanitize(name),
    risk === 'none' ? (effect === 'read' ? 'reads' : 'changes') : `${risk}s`,
    sanitize(description),
  ])
  printTable([['TOOL', 'EFFECT', ''], ...tools])
}
