import { forEach, ITEM_STATES } from '../../../../contract/canvas/for-each.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { CliEnvironment } from '../../../config.ts'
import { type Connection, connect, parseResponse } from '../../../connect.ts'
import { parseChoice } from '../../../parse.ts'
import { printData, printMessage, printTable, sanitize } from '../../../terminal.ts'
import { findRun, requireId } from './find.ts'
import { shorten } from './labels.ts'

interface ItemsOptions {
  server?: string
  json?: boolean
  state?: string
  limit: number
}

type Item = OutputOf<typeof forEach.items>['items'][number]

const RESULT_COLUMNS = 60

export async function listItems(
  ref: string,
  options: ItemsOptions,
  environment: CliEnvironment,
): Promise<void> {
  const state = parseChoice('state', ITEM_STATES, options.state)
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const id = await idOf(connection, ref)
  const { items: lists } = await parseResponse(server, forEach.lists, client.forEach.lists({ id }))
  const call = client.forEach.items({ id, limit: options.limit, state })
  const { items, nextCursor } = await parseResponse(server, forEach.items, call)
  if (options.json) return printData({ lists, items, nextCursor })
  if (lists.length === 0) return printMessage('The run repeats over no list')
  for (const { title, done, total, failed, cost, estimate } of lists)
    printMessage(
      `${sanitize(title)}: ${done} of ${total} done, ${failed} failed, $${cost.amount}${estimate ? `, about $${estimate.amount} for the rest` : ''}`,
    )
  printTable([
    ['#', 'ITEM', 'STATE', 'RESULT'],
    ...items.map((item) => [String(item.n), sanitize(item.label), item.state, sanitize(resultOf(item))]),
  ])
  if (nextCursor) printMessage('There are more. Use --limit or --state.')
}

/** The newest run may be an item's. */
async function idOf(connection: Connection, ref: string): Promise<string> {
  if (ref !== 'last') return requireId(ref, 'run', 'runs ls')
  let run = await findRun(connection, ref)
  while (run.parentRunId !== null) run = await findRun(connection, run.parentRunId)
  return run.id
}

const resultOf = ({ error, output }: Item): string =>
  shorten(
    error ?? (typeof output === 'string' ? output : output === null ? '' : JSON.stringify(output)),
    RESULT_COLUMNS,
  )

export async function continueRun(
  ref: string,
  options: Pick<ItemsOptions, 'server' | 'json'>,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const id = await idOf(connection, ref)
  const run = await parseResponse(server, forEach.continue, client.forEach.continue({ id }))
  if (options.json) return printData(run)
  printMessage('The remaining items run now')
}
