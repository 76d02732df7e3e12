import type { Feature } from '../../../feature.ts'
import { type AgentOptions, agentRoutes } from './routes.ts'

export type { AgentSettings } from '../../../../contract/agents/agents.ts'
export { createAgent } from './create.ts'
export { addAssistant, findAgent, findDefaultAgent, findVersion, listAgentsByName } from './queries.ts'
export { type AgentRow, canChange, notAgentEditor } from './records.ts'

export const agents = (options: AgentOptions): Feature => ({ routes: agentRoutes(options) })
