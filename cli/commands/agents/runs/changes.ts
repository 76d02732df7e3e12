import { agentRuns } from '../../../../contract/agents/agent-runs.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { CliEnvironment } from '../../../config.ts'
import { type Connection, connect, LONG_TIMEOUT_MS, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { canConfirm, confirm, print, printData, printMessage, sanitize, style } from '../../../terminal.ts'
import { findRun, requireId } from './find.ts'
import { shorten } from './labels.ts'

interface ChangesOptions {
  server?: string
  json?: boolean
}

type Change = OutputOf<typeof agentRuns.changes>['items'][number]

const VALUE_COLUMNS = 60

export async function listChanges(
  ref: string,
  options: ChangesOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const id = ref === 'last' ? (await findRun(connection, ref)).id : requireId(ref, 'run', 'runs ls')
  const items = await readAll(connection, id)
  if (options.json) return printData({ items })
  if (items.length === 0) return printMessage('The run changed nothing, or its changes were undone')
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

interface UndoOptions {
  server?: string
  json?: boolean
  dryRun?: boolean
  force?: boolean
  yes?: boolean
}

type Undo = OutputOf<typeof agentRuns.undo>
type Item = Undo['items'][number]

export async function undoRun(ref: string, options: UndoOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment, LONG_TIMEOUT_MS)
  const id = ref === 'last' ? (await findRun(connection, ref)).id : requireId(ref, 'run', 'runs ls')
  const plan = await undo(connection, { id, dryRun: 'true' })
  const isShown = !options.json && (options.dryRun || !options.yes)
  if (isShown) plan.items.forEach(printItem)
  if (options.dryRun && options.json) return printData({ dryRun: true, ...plan })
  if (options.dryRun || plan.items.length === 0) return printMessage(planText(plan))
  requireNoConflicts(plan, options.force ?? false)
  await requireConfirmation(plan, options)
  const result = await undo(connection, { id, force: options.force ? 'true' : 'false' })
  if (options.json) return printData(result)
  printMessage(`Undone: ${countsText(result.items)}`)
  if (result.undoRunId) printMessage(`To restore the changes: npx atrium runs undo ${result.undoRunId}`)
}

function undo(
  { server, client }: Connection,
  input: Parameters<Connection['client']['agentRuns']['undo']>[0],
) {
  return parseResponse(server, agentRuns.undo, client.agentRuns.undo(input))
}

const planText = ({ items }: Undo): string =>
  items.length === 0
    ? 'Nothing to undo: the run changed nothing, or its changes were already undone'
    : `To undo: ${countsText(items)}`

function requireNoConflicts({ items }: Undo, isForced: boolean): void {
  const count = items.filter(({ isConflict }) => isConflict).length
  if (count === 0 || isForced) return
  throw new Failure(
    'failed',
    `${count === 1 ? 'One item was' : `${count} items were`} edited since the run, so nothing was undone`,
    'Use --force to undo the run anyway, or --dry-run to see the items.',
  )
}

async function requireConfirmation({ items }: Undo, { yes, json }: UndoOptions): Promise<void> {
  if (yes) return
  if (!json && canConfirm()) return confirm('Undo these changes?')
  throw new Failure(
    'usage',
    `This changes the project: ${countsText(items)}`,
    'Use --yes to apply it, or --dry-run to see the plan.',
  )
}

const UNDO_SIGNS: Record<Item['action'], string> = {
  reverted: '~',
  recreated: '+',
  removed: '-',
  skipped: ' ',
}

const REASONS: Record<NonNullable<Item['reason']>, string> = {
  edited_since: 'edited since the run',
  purged: 'deleted permanently',
  folder_missing: 'its folder was deleted',
  in_use: 'contains other members’ files',
}

function printItem({ kind, id, name, action, reason }: Item): void {
  const label = name ? sanitize(name) : id
  const note = reason ? style('yellow', `  ${REASONS[reason]}`, process.stdout) : ''
  print(`${UNDO_SIGNS[action]} ${kind}  ${label}${note}`)
}

const ACTIONS = ['reverted', 'recreated', 'removed', 'skipped'] as const

function countsText(items: readonly Item[]): string {
  const counts = ACTIONS.map((action) => ({
    action,
    count: items.filter((item) => item.action === action).length,
  }))
  return counts
    .filter(({ count }) => count > 0)
    .map(({ action, count }) => `${count} ${action}`)
    .join(', ')
}
