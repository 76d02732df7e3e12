import { findAgent, listAll } from '../../agents/find.ts'
import { printDocument } from '../../agents/print-document.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect } from '../../connect.ts'
import { print, printData } from '../../terminal.ts'

interface ExportOptions {
  server?: string
  json?: boolean
  ids?: boolean
}

/** Prints one agent, or all that are not archived as YAML documents. */
export async function exportAgents(
  ref: string | undefined,
  options: ExportOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const items = ref === undefined ? await listAll(connection) : [await findAgent(connection, ref)]
  if (options.json) return printData({ items })
  for (const [index, agent] of items.entries()) {
    if (index > 0) print('---')
    await printDocument(agent, { withId: options.ids })
  }
}
