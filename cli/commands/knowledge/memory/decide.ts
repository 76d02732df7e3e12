import { memory } from '../../../../contract/knowledge/memory.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { printData, printMessage, sanitize } from '../../../terminal.ts'
import { requireId } from '../../agents/runs/find.ts'

interface DecideOptions {
  server?: string
  json?: boolean
}

export async function decideMemory(
  ref: string,
  decision: 'accept' | 'reject',
  options: DecideOptions,
  environment: CliEnvironment,
): Promise<void> {
  const id = requireId(ref, 'memory', 'memory ls --proposed')
  const { server, client } = await connect(options.server, environment)
  const decided = await parseResponse(server, memory[decision], client.memory[decision]({ id }))
  if (options.json) return printData(decided)
  const verb = decision === 'accept' ? 'Accepted' : 'Rejected'
  printMessage(`${verb} ${sanitize(decided.key)}. To undo, send POST ${server}/api/v1/memory/${id}/reopen`)
}

/** Always fails, with the URL of the page that deletes the memory: an API key cannot delete memories. */
export async function refuseToRemove(
  ref: string,
  options: DecideOptions,
  environment: CliEnvironment,
): Promise<void> {
  const id = requireId(ref, 'memory', 'memory ls')
  const { server, client } = await connect(options.server, environment)
  const { key } = await parseResponse(server, memory.get, client.memory.get({ id }))
  throw new Failure(
    'refused',
    `Deleting ${sanitize(key)} requires a browser session`,
    `Delete it in the dashboard: ${server}/memory?id=${id}`,
  )
}
