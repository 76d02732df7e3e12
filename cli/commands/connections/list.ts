import type { CliEnvironment } from '../../config.ts'
import { connect } from '../../connect.ts'
import { printData, printMessage, printTable, sanitize } from '../../terminal.ts'
import { shorten, timeText } from '../agents/runs/labels.ts'
import { accountOf, type Connection, listAll } from './find.ts'

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
