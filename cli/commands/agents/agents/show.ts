import type { CliEnvironment } from '../../../config.ts'
import { connect } from '../../../connect.ts'
import { printData, printMessage, sanitize } from '../../../terminal.ts'
import { findAgent } from './find.ts'
import { agentEntry } from './inventory.ts'
import { printYaml, writeFields } from './write-documents.ts'

interface ShowOptions {
  server?: string
  json?: boolean
}

export async function showAgent(
  ref: string,
  options: ShowOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const agent = await findAgent(connection, ref)
  if (options.json) return printData(agent)
  const { version, updatedAt, archivedAt, warnings } = agent
  printMessage(`Version ${version} of ${updatedAt}${archivedAt ? `, archived ${archivedAt}` : ''}`)
  for (const { path, message } of warnings) printMessage(`warning  ${path}: ${sanitize(message)}`)
  printYaml(await writeFields(agentEntry(agent, (_, id) => id, [])))
}
