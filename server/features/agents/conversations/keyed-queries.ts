import type { Sql } from '../../../database/database.ts'
import type { NewSession, SessionRow } from './session-queries.ts'

interface KeyedSession {
  id: string
  status: SessionRow['status']
  activeRunId: string | null
  isNew: boolean
}

/** The session with this key, locked; created if there is none. Its next message is for this agent. */
export async function openKeyedSession(sql: Sql, orgId: string, key: string, session: NewSession) {
  const { id, projectId, agentId, title, origin, createdBy, now } = session
  const [row] = await sql<KeyedSession[]>`
    insert into agent_sessions as s (org_id, id, key, project_id, agent_id, title, origin, created_by, created_at,
      updated_at, last_message_at)
    values (${orgId}, ${id}, ${key}, ${projectId}, ${agentId}, ${title}, ${origin}, ${createdBy}, ${now}, ${now}, ${now})
    on conflict (org_id, key) where key is not null do update set agent_id = excluded.agent_id
    returning s.id, s.status, s.active_run_id as "activeRunId", s.id = ${id} as "isNew"`
  return row!
}

/** Releases the key of a session, so that the next message with the key starts another session. */
export const releaseKey = (sql: Sql, orgId: string, id: string) => sql`
  update agent_sessions set key = null where org_id = ${orgId} and id = ${id}`
