import type { Sql } from '../../../database/database.ts'

/** The agents that have a voice agent in a project. */
export const listExposedAgents = (sql: Sql, orgId: string, projectId: string) => sql<
  { id: string; name: string }[]
>`
  select distinct a.id, w.settings ->> 'name' as name
  from voice_agents v
  join agents a on a.org_id = v.org_id and a.id = v.agent_id and a.archived_at is null
  join agent_versions w on w.org_id = a.org_id and w.agent_id = a.id and w.version = a.version
  where v.org_id = ${orgId} and v.project_id = ${projectId} and v.deleted_at is null`
