import { agentRuns } from '../../../../contract/agents/agent-runs.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { print, printData, printMessage } from '../../../terminal.ts'
import { withRetry } from '../../files/retry.ts'
import { findRun } from './find.ts'
import { followToEnd } from './follow.ts'
import { statusText } from './labels.ts'

interface ControlOptions {
  server?: string
  json?: boolean
}

export async function cancelRun(
  ref: string,
  options: ControlOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id } = await findRun(connection, ref)
  const run = await parseResponse(server, agentRuns.cancel, client.agentRuns.cancel({ id }))
  if (options.json) return printData(run)
  const isEnded = run.finishedAt !== null
  printMessage(isEnded ? `The run had already ended: ${statusText(run)}` : 'The run ends within a second')
}

/** Starts a new run in the same session, and prints its id. */
export async function retryRun(
  ref: string,
  options: ControlOptions & { follow?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id } = await findRun(connection, ref)
  const idempotencyKey = crypto.randomUUID()
  const retry = () => client.agentRuns.retry({ id }, { idempotencyKey })
  const run = await parseResponse(server, agentRuns.retry, withRetry(retry, { isRepeatable: true }))
  if (options.follow) return followToEnd(connection, run, options.json ?? false)
  if (options.json) return printData(run)
  print(run.id)
  printMessage(`Follow it with: npx atrium runs follow ${run.id}`)
}
