import type { EndpointPause } from '../../../../../contract/connections/connector-endpoint-options.ts'
import type { Caller } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { memberCaller } from '../../../agents/outside-messages/outside-messages.ts'
import { memberProjectAccess } from '../../../projects/access/access.ts'
import { isWorking } from './claim-queries.ts'

export interface WorkingEndpoint {
  id: string
  name: string
  projectId: string
  agentId: string
  connectionId: string
}

interface Row extends WorkingEndpoint {
  ownerId: string
  isWorking: boolean
  obstacle: EndpointPause | null
  role: Caller['role'] | null
  workspaceId: string | null
}

export type Rights =
  /** Until the connection, agent or endpoint works again. */
  | { kind: 'held' }
  | { kind: 'obstacle'; reason: EndpointPause; ownerId: string; connectionId: string; name: string }
  | { kind: 'ready'; endpoint: WorkingEndpoint; caller: Caller }

/** Uses the owner's current permissions. */
export async function readRights(sql: Sql, orgId: string, endpointId: string): Promise<Rights> {
  const [row] = await sql<Row[]>`
    select e.id, e.name, e.project_id as "projectId", e.agent_id as "agentId", e.connection_id as "connectionId",
      e.owner_id as "ownerId", ${isWorking(sql)} as "isWorking", m.role, m.default_workspace_id as "workspaceId",
      case
        when m.user_id is null then 'owner_left'
        when p.deleted_at is not null then 'project_deleted'
        when ${memberProjectAccess(sql, sql`m.user_id`, sql`m.role`)} is distinct from 'edit' then 'access_lost'
      end as obstacle
    from connector_endpoints e
    join projects p on p.org_id = e.org_id and p.id = e.project_id
    left join memberships m on m.org_id = e.org_id and m.user_id = e.owner_id
    where e.org_id = ${orgId} and e.id = ${endpointId}`
  if (!row?.isWorking) return { kind: 'held' }
  const { ownerId, connectionId, name, obstacle, role, workspaceId } = row
  if (obstacle !== null) return { kind: 'obstacle', reason: obstacle, ownerId, connectionId, name }
  const { id, projectId, agentId } = row
  const caller = memberCaller(orgId, { userId: ownerId, credentialId: endpointId }, { role, workspaceId })
  return { kind: 'ready', endpoint: { id, name, projectId, agentId, connectionId }, caller }
}
