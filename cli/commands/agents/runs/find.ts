import { agentRuns } from '../../../../contract/agents/agent-runs.ts'
import { type Connection, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { isId } from '../../../parse.ts'
import type { RunDetails } from './labels.ts'

/** `last` is the newest run. */
export async function findRun(connection: Connection, ref: string): Promise<RunDetails> {
  const { server, client } = connection
  const id = ref === 'last' ? await findNewestRun(connection) : requireId(ref, 'run', 'runs ls')
  return parseResponse(server, agentRuns.get, client.agentRuns.get({ id }))
}

async function findNewestRun({ server, client }: Connection): Promise<string> {
  const { items } = await parseResponse(server, agentRuns.list, client.agentRuns.list({ limit: 1 }))
  if (items[0]) return items[0].id
  throw new Failure('failed', 'No runs yet', 'Start one with `npx atrium chat`.')
}

/** Throws unless `ref` is an id: records such as runs and sessions have no names. */
export function requireId(ref: string, noun: string, list: string): string {
  if (isId(ref)) return ref
  throw new Failure(
    'usage',
    `${ref} is not ${noun === 'approval' ? 'an' : 'a'} ${noun} id`,
    `Run \`npx atrium ${list}\` to list them.`,
  )
}

/** Approvals are also decided here. */
export const runUrl = (server: string, runId: string): string => `${server}/runs/${runId}`
export const sessionUrl = (server: string, sessionId: string): string => `${server}/chat/${sessionId}`
export const peopleUrl = (server: string, sessionId: string): string =>
  `${sessionUrl(server, sessionId)}?people=all`
