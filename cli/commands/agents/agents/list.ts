import { AGENT_TOOL_NAMES } from '../../../../contract/agents/agent-options.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect } from '../../../connect.ts'
import { printData, printMessage, printTable, sanitize } from '../../../terminal.ts'
import { type Agent, listAll } from './find.ts'

interface ListOptions {
  server?: string
  json?: boolean
  search?: string
  archived?: boolean
}

export async function listAgents(options: ListOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const items = await listAll(connection, { q: options.search, archived: options.archived })
  if (options.json) return printData({ items })
  if (items.length === 0) return printMessage('No agents match')
  printTable([['ID', 'NAME', 'MODEL', 'TOOLS', 'VERSION', 'UPDATED'], ...items.map(rowOf)])
}

const rowOf = ({ id, name, emoji, model, tools, version, updatedAt }: Agent): string[] => [
  id,
  sanitize(emoji ? `${emoji} ${name}` : name),
  model === null ? 'default' : sanitize(model),
  AGENT_TOOL_NAMES.filter((tool) => tools[tool]).join(', ') || '-',
  String(version),
  `${updatedAt.slice(0, 10)} ${updatedAt.slice(11, 16)}Z`,
]
