import { connections } from '../../../contract/connections/connections.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse, type Connection as Server } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { canConfirm, confirm, print, printData, printMessage, printTable, sanitize } from '../../terminal.ts'
import { shorten, timeText } from '../agents/runs/labels.ts'

interface ListOptions {
  server?: string
  json?: boolean
  shared?: boolean
}

const NAME_COLUMNS = 32

export async function listConnections(options: ListOptions, environment: CliEnvironment): Promise<void> {
  const items = await listAll(await connect(options.server, environment), options.shared)
  if (options.json) return printData({ items })
  if (items.length === 0)
    return printMessage('No connections. Run `npx atrium connections connect <slug>` to create one.')
  printTable([['ID', 'CONNECTOR', 'LABEL', 'ACCOUNT', 'STATUS', 'LAST USED', 'OWNER'], ...items.map(rowOf)])
}

const rowOf = (connection: Connection): string[] => [
  connection.id,
  sanitize(connection.connectorSlug),
  shorten(connection.label ?? '-', NAME_COLUMNS),
  shorten(accountOf(connection) ?? '-', NAME_COLUMNS),
  connection.status,
  connection.lastUsedAt ? timeText(connection.lastUsedAt) : '-',
  sanitize(connection.owner.name),
]

const CALLS_MAX = 10

export async function showConnection(
  ref: string,
  options: { server?: string; json?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const api = await connect(options.server, environment)
  const connection = await findConnection(api, ref)
  const { id, status, statusReason, scopes, missingScopes, shared, owner, heldCount } = connection
  const calls = await parseResponse(api.server, connections.calls, api.client.connections.calls({ id }))
  if (options.json) return printData({ ...connection, calls: calls.items })
  const when = (at: string | null) => (at ? timeText(at) : '-')
  const facts = [
    ['Account', accountOf(connection) ?? '-'],
    ['Status', statusReason ? `${status}: ${statusReason}` : status],
    ['Owner', owner.name],
    ['Shared', shared === 'org' ? 'with the organization' : shared === 'project' ? 'with a project' : 'no'],
    ['Last used', when(connection.lastUsedAt)],
    ['Last refresh', when(connection.lastRefreshAt)],
    ['Expires', when(connection.expiresAt)],
    ...(heldCount > 0 ? [['Held events', String(heldCount)]] : []),
    ...(scopes.length > 0 ? [['Granted', scopes.join(' ')]] : []),
    ...(missingScopes.length > 0 ? [['Not granted', missingScopes.join(' ')]] : []),
    ['Page', `${api.server}/integrations/${id}`],
  ] as [string, string][]
  print(`${sanitize(connectionName(connection))}  ${id}`)
  for (const [name, value] of facts) print(`  ${name.padEnd(12)}  ${sanitize(value)}`)
  if (calls.items.length === 0) return
  print()
  const rows = calls.items
    .slice(0, CALLS_MAX)
    .map((call) => [
      timeText(call.startedAt),
      sanitize(call.tool),
      call.status === 'succeeded'
        ? 'succeeded'
        : `failed ${sanitize(call.errorCode ?? String(call.httpStatus ?? ''))}`,
      `${call.durationMs} ms`,
      call.runId,
    ])
  printTable([['TIME', 'TOOL', 'RESULT', 'DURATION', 'RUN'], ...rows])
}

interface Options {
  server?: string
  json?: boolean
}

/** Fails with the provider's reason if the connection doesn't work. */
export async function checkConnection(
  ref: string,
  options: Options,
  environment: CliEnvironment,
): Promise<void> {
  const api = await connect(options.server, environment)
  const { id } = await findConnection(api, ref)
  const connection = await parseResponse(api.server, connections.check, api.client.connections.check({ id }))
  if (options.json) printData(connection)
  if (connection.status !== 'active')
    throw new Failure(
      'failed',
      `${connectionName(connection)}: ${connection.statusReason ?? connection.status}`,
      `Reconnect it: ${api.server}/integrations/${id}`,
    )
  if (!options.json) print(`${sanitize(connectionName(connection))} works${accountSuffix(connection)}`)
}

export async function revokeConnection(
  ref: string,
  options: Options & { yes?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const api = await connect(options.server, environment)
  const connection = await findConnection(api, ref)
  const account = accountOf(connection)
  const name = account === null ? connectionName(connection) : `${connectionName(connection)} (${account})`
  if (!options.yes) {
    if (!canConfirm())
      throw new Failure('usage', 'Revoking without a terminal requires --yes', 'Add --yes to the command.')
    await confirm(`Revoke ${sanitize(name)}? Agents will lose access, and its endpoints will be removed.`)
  }
  const removed = api.client.connections.remove({ id: connection.id })
  const result = await parseResponse(api.server, connections.remove, removed)
  if (options.json) return printData(result)
  print(`Revoked ${sanitize(name)}`)
}

export type Connection = OutputOf<typeof connections.get>

const listAll = async ({ server, client }: Server, shared = false): Promise<Connection[]> =>
  (await parseResponse(server, connections.list, client.connections.list(shared ? { shared: 'true' } : {})))
    .items

/** Accepts an id, or a unique label, connector or account. */
export async function findConnection(api: Server, ref: string): Promise<Connection> {
  const items = await listAll(api, true)
  const found = items.filter((each) => namesOf(each).includes(ref))
  if (found.length === 1) return found[0]!
  if (found.length === 0)
    throw new Failure(
      'failed',
      `Connection ${ref} not found`,
      'Run `npx atrium connections ls --shared` to list connections.',
    )
  const ids = found.map(({ id }) => id).join(', ')
  throw new Failure('usage', `${found.length} connections match ${ref}: use an id`, `Ids: ${ids}`)
}

const namesOf = ({ id, label, connectorSlug, connector, account }: Connection) => [
  id,
  label,
  connectorSlug,
  connector.name,
  account?.name,
  account?.email,
]

/** Null if the credentials name no account, such as an API key that may only send. */
const accountOf = ({ account }: Pick<Connection, 'account'>) =>
  account?.name ?? account?.email ?? account?.id ?? null

export function accountSuffix(connection: Pick<Connection, 'account'>): string {
  const account = accountOf(connection)
  return account === null ? '' : ` as ${sanitize(account)}`
}

/** `GitHub (Work)` */
export const connectionName = ({ connector, label }: Connection) =>
  label ? `${connector.name} (${label})` : connector.name
