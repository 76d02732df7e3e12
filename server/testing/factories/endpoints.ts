import { newId } from '../../security/ids.ts'
import type { TestApp } from '../test-app.ts'
import type { Person } from './factories.ts'

interface EndpointOptions {
  projectId: string
  agentId: string
  eventId: string
  name: string
}

export async function insertEndpoint(
  { sql }: Pick<TestApp, 'sql'>,
  { orgId, id: userId }: Person,
  { projectId, agentId, eventId, name }: EndpointOptions,
) {
  const [connectionId, endpointId, replyId] = [newId(), newId(), newId()]
  await sql`
    insert into connections (org_id, id, user_id, connector_slug, label, status, created_at, updated_at)
    values (${orgId}, ${connectionId}, ${userId}, 'telegram', ${name}, 'active', now(), now())`
  await sql`
    insert into connector_endpoints (org_id, id, connection_id, connector_slug, name, project_id, agent_id, owner_id,
      session_key, reply, secret_sealed, has_proof_secret, registration, created_at, updated_at)
    values (${orgId}, ${endpointId}, ${connectionId}, 'telegram', ${name}, ${projectId}, ${agentId}, ${userId},
      '{thread}', 'off', '', true, 'registered', now(), now())`
  await sql`insert into connector_counts (org_id, endpoint_id) values (${orgId}, ${endpointId})`
  await sql`
    insert into connector_events (org_id, endpoint_id, id, event_key, external_id, status, received_at)
    values (${orgId}, ${endpointId}, ${eventId}, 'x', ${name}, 'failed', now())`
  await sql`
    insert into connector_replies (org_id, id, endpoint_id, event_id, run_id, status, text, created_at)
    values (${orgId}, ${replyId}, ${endpointId}, ${eventId}, ${newId()}, 'waiting', ${name}, now())`
  return { connectionId, endpointId, replyId }
}
