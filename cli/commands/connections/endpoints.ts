import { PROVIDER_EVENT_STATUSES } from '../../../contract/connections/connector-endpoint-options.ts'
import { connectorEndpoints } from '../../../contract/connections/connector-endpoints.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse, type Connection as Server } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { parseChoice } from '../../parse.ts'
import { printData, printMessage, printTable, sanitize } from '../../terminal.ts'
import { shorten, timeText } from '../agents/runs/labels.ts'
import { findConnection } from './connections.ts'

type Endpoint = OutputOf<typeof connectorEndpoints.list>['items'][number]

interface Options {
  server?: string
  json?: boolean
}

const TEXT_COLUMNS = 40
const LIST_MAX = 100

async function readAll({ server, client }: Server, connectionId?: string): Promise<Endpoint[]> {
  const list = client.connectorEndpoints.list({ connectionId, limit: LIST_MAX })
  return (await parseResponse(server, connectorEndpoints.list, list)).items
}

export async function listEndpoints(
  options: Options & { connection?: string },
  environment: CliEnvironment,
): Promise<void> {
  const api = await connect(options.server, environment)
  const connectionId = options.connection && (await findConnection(api, options.connection)).id
  const items = await readAll(api, connectionId)
  if (options.json) return printData({ items })
  if (items.length === 0) return printMessage('No endpoints. Create one on a connection in the dashboard.')
  printTable([
    ['ID', 'NAME', 'CONNECTOR', 'AGENT', 'PROJECT', 'STATE', 'EVENTS', 'LAST'],
    ...items.map(rowOf),
  ])
}

const rowOf = (endpoint: Endpoint): string[] => [
  endpoint.id,
  shorten(endpoint.name, TEXT_COLUMNS),
  sanitize(endpoint.connectorSlug),
  sanitize(endpoint.agentName),
  sanitize(endpoint.projectName),
  endpoint.status === 'paused' ? 'paused' : endpoint.held ? `held: ${endpoint.held}` : endpoint.registration,
  String(endpoint.counts.received),
  endpoint.lastReceivedAt ? timeText(endpoint.lastReceivedAt) : '-',
]

export async function listEvents(
  ref: string,
  options: Options & { status?: string; limit: number },
  environment: CliEnvironment,
): Promise<void> {
  const status = parseChoice('status', PROVIDER_EVENT_STATUSES, options.status)
  const api = await connect(options.server, environment)
  const { id } = await findEndpoint(api, ref)
  const list = api.client.connectorEndpoints.events({ id, status, limit: options.limit })
  const { items } = await parseResponse(api.server, connectorEndpoints.events, list)
  if (options.json) return printData({ items })
  if (items.length === 0) return printMessage('No events match')
  const rows = items.map((event) => [
    timeText(event.receivedAt),
    sanitize(event.eventKey),
    event.status,
    shorten(event.record?.text ?? event.error ?? event.reason ?? '-', TEXT_COLUMNS),
    event.runId ?? '-',
  ])
  printTable([['TIME', 'EVENT', 'STATUS', 'TEXT', 'RUN'], ...rows])
}

/** Accepts an id or a unique name. */
async function findEndpoint(api: Server, ref: string): Promise<Endpoint> {
  const found = (await readAll(api)).filter(({ id, name }) => id === ref || name === ref)
  if (found.length === 1) return found[0]!
  if (found.length === 0)
    throw new Failure(
      'failed',
      `Endpoint ${ref} not found`,
      'Run `npx atrium connections endpoints ls` to list endpoints.',
    )
  const ids = found.map(({ id }) => id).join(', ')
  throw new Failure('usage', `${found.length} endpoints are named ${ref}: use an id`, `Ids: ${ids}`)
}
