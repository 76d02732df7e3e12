import type { Sql } from '../../../../database/database.ts'
import type { AgentSettings } from '../../agents/agents.ts'
import type { RunAgent } from '../state/prompt.ts'
import { type ConnectorOptions, loadConnectorTools, type RunOwner } from './connector-tools.ts'
import { loadMcpTools } from './mcp-tools.ts'
import { listFoundTools } from './search-tools.ts'

/** Below this, `search_tools` never replaces them. */
const SEARCHED_FROM = 10

/** Sorted by name. */
export async function loadOutsideTools(
  sql: Sql,
  run: RunOwner,
  { mcpServers, allowedConnectors }: Pick<AgentSettings, 'mcpServers' | 'allowedConnectors'>,
  options: ConnectorOptions,
): Promise<Required<Pick<RunAgent, 'outsideTools' | 'foundTools' | 'unconnectedConnectors'>>> {
  const [mcpTools, connectors] = await Promise.all([
    loadMcpTools(sql, run.orgId, mcpServers, options),
    loadConnectorTools(sql, run, allowedConnectors, options),
  ])
  const outsideTools = [...mcpTools, ...connectors.tools].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return {
    outsideTools,
    foundTools: outsideTools.length < SEARCHED_FROM ? [] : await listFoundTools(sql, run),
    unconnectedConnectors: connectors.unconnectedConnectors,
  }
}
