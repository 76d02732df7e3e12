import { Id } from '../../../../contract/fields.ts'
import type { Sql } from '../../../database/database.ts'
import { listExposedAgents } from './exposed-queries.ts'
import type { VoiceAgentRow } from './voice-agent-queries.ts'

/**
 * The agent that a voice agent names, or identifies by id. A caller can make the voice agent use any name, so that only agents count
 * that an admin gave a voice in the same project; without a name it is that of the voice agent.
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
