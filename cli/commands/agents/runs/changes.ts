import { agentRuns } from '../../../../contract/agents/agent-runs.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { CliEnvironment } from '../../../config.ts'
import { type Connection, connect, parseResponse } from '../../../connect.ts'
import { print, printData, printMessage, sanitize, style } from '../../../terminal.ts'
import { findRun, requireId } from './find.ts'
import { shorten } from './labels.ts'

interface ChangesOptions {
  server?: string
  json?: boolean
}

type Change = OutputOf<typeof agentRuns.changes>['items'][number]

const VALUE_COLUMNS = 60

/** Lists every block, edge, file and memory that a run changed, with the fields that differ. */
export async function listChanges(
  ref: string,
  options: ChangesOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const id = ref === 'last' ? (await findRun(connection, ref)).id : requireId(ref, 'run', 'runs ls')
  const items = await readAll(connection, id)
  if (options.json) return printData({ items })
  if (items.length === 0) return printMessage('The run changed nothing, or its changes are undone')
  items.forEach(printOne)
}

async function readAll({ server, client }: Connection, id: string): Promise<Change[]> {
  const items: Change[] = []
  let cursor: string | undefined
  do {
    const call = client.agentRuns.changes({ id, limit: 100, cursor })
    const page = await parseResponse(server, agentRuns.changes, call)
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return items
}

const SIGNS = { created: ['+', 'green'], updated: ['~', 'yellow'], deleted: ['-', 'red'] } as const

function printOne({ kind, id, name, action, before, after }: Change): void {
  const [sign, color] = SIGNS[action]
  print(style(color, `${sign} ${kind}  ${name ? sanitize(name) : id}`, process.stdout))
  if (action !== 'updated') return
  for (const field of Object.keys(after ?? {}))
    print(`    ${sanitize(field)}: ${formatValue(before?.[field])} → ${formatValue(after?.[field])}`)
}

const formatValue = (value: unknown): string =>
  shorten(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null'), VALUE_COLUMNS)
