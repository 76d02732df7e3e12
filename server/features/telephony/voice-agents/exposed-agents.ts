import { Id } from '../../../../contract/fields.ts'
import type { Sql } from '../../../database/database.ts'
import { listExposedAgents } from './exposed-queries.ts'
import type { VoiceAgentRow } from './voice-agent-queries.ts'

/**
 * The agent that a voice agent names, or identifies by id. A caller can make the voice agent use any name, so only
 * agents to which an admin gave a voice in the same project count; without a name it is the agent of the voice agent.
 */
export async function findExposedAgent(
  sql: Sql,
  { orgId, agentId, projectId }: VoiceAgentRow,
  name: string | null,
): Promise<string | null> {
  if (name === null) return agentId
  const exposedAgents = await listExposedAgents(sql, orgId, projectId)
  const nameOrId = name.trim().toLowerCase()
  const isId = Id.safeParse(name).success
  const matches = exposedAgents.filter((agent) =>
    isId ? agent.id === nameOrId : agent.name.toLowerCase() === nameOrId,
  )
  return matches.length === 1 ? matches[0]!.id : null
}
