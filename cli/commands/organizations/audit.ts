import { organization } from '../../../contract/organizations/organization.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { parseTime } from '../../parse.ts'
import { printData, printMessage, printTable, sanitize } from '../../terminal.ts'

interface AuditOptions {
  server?: string
  json?: boolean
  search?: string
  action?: string
  since?: string
  until?: string
}

export async function listAudit(options: AuditOptions, environment: CliEnvironment): Promise<void> {
  const { search, action, since, until } = options
  const query = {
    search,
    action,
    from: since === undefined ? undefined : parseTime('--since', since),
    to: until === undefined ? undefined : parseTime('--until', until),
    limit: 100,
  }
  const { server, client } = await connect(options.server, environment)
  const page = await parseResponse(server, organization.audit, client.organization.audit(query))
  if (options.json) return printData(page)
  if (page.items.length === 0) return printMessage('No entries match')
  const rows = page.items.map(({ createdAt, actor, via, action: name, target, address }) => [
    createdAt.slice(0, 19).replace('T', ' '),
    sanitize(actor?.name ?? 'Atrium'),
    via,
    name,
    sanitize(target ?? ''),
    sanitize(address ?? ''),
  ])
  printTable([['WHEN (UTC)', 'ACTOR', 'VIA', 'ACTION', 'TARGET', 'ADDRESS'], ...rows])
  if (page.nextCursor) printMessage('Older entries match too: use --until, or export them in the dashboard')
}
