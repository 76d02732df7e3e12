import { quotas } from '../../../contract/organizations/quotas.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { print, printData, sanitize } from '../../terminal.ts'

export async function listQuotas(
  options: { server?: string; json?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const { server, client } = await connect(options.server, environment)
  const { items } = await parseResponse(server, quotas.list, client.quotas.list())
  if (options.json) return printData({ items })
  const rows = items.map(({ label, used, allowed, unit }) => [
    sanitize(label),
    used.toLocaleString('en-US'),
    `of ${allowed.toLocaleString('en-US')}${unit === 'bytes' ? ' bytes' : ''}`,
  ])
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column]!.length))
  for (const [label, used, allowed] of rows)
    print(`${label!.padEnd(width(0))}  ${used!.padStart(width(1))} ${allowed}`)
}
