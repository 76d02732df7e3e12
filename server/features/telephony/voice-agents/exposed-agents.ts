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
  const exposed = await listExposedAgents(sql, orgId, projectId)
  const nameOrId = name.trim().toLowerCase()
  const isId = Id.safeParse(name).success
  const found = exposed.filter((agent) =>
    isId ? agent.id === nameOrId : agent.name.toLowerCase() === nameOrId,
  )
  return found.length === 1 ? found[0]!.id : null
}
