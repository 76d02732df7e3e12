import { connections } from '../../../contract/connections/connections.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { print, printData, printTable, sanitize } from '../../terminal.ts'
import { timeText } from '../agents/runs/labels.ts'
import { accountOf, findConnection, nameOf } from './find.ts'

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
    ['Page', `${api.server}/connections/${id}`],
  ] as [string, string][]
  print(`${sanitize(nameOf(connection))}  ${id}`)
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
