import { agents } from '../../../../contract/agents/agents.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { printData, printMessage, sanitize } from '../../../terminal.ts'
import { findAgent } from './find.ts'

interface ArchiveOptions {
  server?: string
  json?: boolean
}

export async function archiveAgent(
  ref: string,
  options: ArchiveOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id } = await findAgent(connection, ref)
  const agent = await parseResponse(server, agents.remove, client.agents.remove({ id }))
  if (options.json) return printData(agent)
  printMessage(`Archived ${sanitize(agent.name)}. Unarchive it in the dashboard: ${server}/agents/${id}`)
}
