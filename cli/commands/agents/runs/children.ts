import { agentRuns } from '../../../../contract/agents/agent-runs.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { type Connection, parseResponse } from '../../../connect.ts'
import { print, sanitize, style } from '../../../terminal.ts'
import { betweenText, costText, shorten } from './labels.ts'

type Child = OutputOf<typeof agentRuns.children>['items'][number]
export interface ChildTree extends Child {
  children: ChildTree[]
}

/** A call starts a run at most this deep; the blocks of a workflow are one level more. */
const DEPTH_MAX = 4
const TITLE_COLUMNS = 60

/** The runs that a run started, with their child runs, oldest first. */
export async function readChildren(connection: Connection, id: string, depth = 1): Promise<ChildTree[]> {
  if (depth > DEPTH_MAX) return []
  const { server, client } = connection
  const { items } = await parseResponse(server, agentRuns.children, client.agentRuns.children({ id }))
  const trees: ChildTree[] = []
  for (const child of items)
    trees.push({ ...child, children: await readChildren(connection, child.id, depth + 1) })
  return trees
}

export function printChildren(children: readonly ChildTree[], indent = '  '): void {
  for (const child of children) {
    const { id, status, agentName, title, cost, startedAt, finishedAt } = child
    const details = [betweenText(startedAt, finishedAt), costText(cost)].filter(Boolean).join(', ')
    const label = `${sanitize(agentName)}: ${shorten(title, TITLE_COLUMNS)}`
    print(`${indent}${id}  ${status}  ${label}  ${style('dim', details, process.stdout)}`)
    printChildren(child.children, `${indent}  `)
  }
}
