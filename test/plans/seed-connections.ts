import type { Sql } from '../../server/database/database.ts'
import type { World } from './seed.ts'
import { idOf, uuid } from './seed-tables.ts'

/** A connection of the owner with calls. */
export const CONNECTION_ID = idOf('b', 1)

/** As many connections as the default quota; every fifth belongs to the owner. */
export async function seedConnections(sql: Sql, { owner }: World, calls: number): Promise<void> {
  const users = sql`(select array_agg(user_id) from (select user_id from memberships where org_id = ${owner.orgId} order by user_id limit 5) m)`
  await sql`
    insert into connections (org_id, id, user_id, connector_slug, status, shared, refresh_due_at, created_at, updated_at)
    select ${owner.orgId}, ${uuid(sql, 'b')}, case when n % 5 = 1 then ${owner.id}::uuid else coalesce(users[1 + n % 5], ${owner.id}::uuid) end,
      'github', 'active', case when n % 50 = 0 then 'org' else 'none' end, now() + interval '1 hour', now(), now()
    from generate_series(1, 1000) n, (select ${users} as users) u`
  await sql`
    insert into connection_calls (org_id, id, connection_id, run_id, tool, status, request, attempts, started_at, duration_ms)
    select ${owner.orgId}, ${uuid(sql, 'c')}, ${CONNECTION_ID}, ${uuid(sql, '7')}, 'search_issues', 'succeeded', '{}', 1, now(), 5
    from generate_series(1, ${calls}::int) n`
}

const CUSTOM = {
  description: 'x',
  category: 'other',
  docsUrl: null,
  baseUrl: 'https://a.example',
  headers: {},
  auth: { type: 'none' },
  check: null,
  retryAfter: null,
  errorFields: null,
  tools: [],
}

/** The endpoint that has all events. */
export const ENDPOINT_ID = idOf('d', 1)

/** As many endpoints as an organization may have, with events and replies of one, and custom connectors. */
export async function seedEndpoints(
  sql: Sql,
  { owner: { orgId, id: ownerId }, projectId, agentId }: World,
  events: number,
): Promise<void> {
  await sql`
    insert into connector_endpoints (org_id, id, connection_id, connector_slug, name, project_id, agent_id, owner_id,
      session_key, reply, secret_sealed, has_proof_secret, registration, created_at, updated_at)
    select ${orgId}, ${uuid(sql, 'd')}, ${CONNECTION_ID}, 'github', 'Endpoint ' || n, ${projectId}, ${agentId}, ${ownerId},
      '{thread}', 'approve', '', true, 'registered', now(), now()
    from generate_series(1, 200) n`
  await sql`
    insert into connector_counts (org_id, endpoint_id) select ${orgId}, ${uuid(sql, 'd')} from generate_series(1, 200) n`
  await sql`
    insert into connector_events (org_id, endpoint_id, id, event_key, external_id, status, thread, record, received_at)
    select ${orgId}, ${ENDPOINT_ID}, ${uuid(sql, 'e')}, 'github.issue', n::text,
      (array['pending', 'running', 'succeeded', 'failed', 'ignored', 'rejected'])[1 + n % 6], 'thread',
      '{"change":"created","targetId":null,"actor":{"id":null,"name":null,"isBot":false},"text":"x","thread":"t","resource":null}',
      now()
    from generate_series(1, ${events}::int) n`
  await sql`
    insert into connector_replies (org_id, id, endpoint_id, event_id, run_id, status, text, created_at)
    select ${orgId}, ${uuid(sql, 'f')}, ${ENDPOINT_ID}, ${uuid(sql, 'e')}, ${uuid(sql, 'f')},
      (array['waiting', 'pending', 'sent', 'failed', 'unknown', 'rejected'])[1 + n % 6], 'x', now()
    from generate_series(1, ${events}::int) n`
  await sql`
    insert into custom_connectors (org_id, slug, definition, created_by, created_at, updated_at)
    select ${orgId}, 'custom-' || n, ${sql.json(CUSTOM)}::jsonb || jsonb_build_object('name', 'Custom ' || n), ${ownerId}, now(), now()
    from generate_series(1, 50) n`
}
