import type { Sql } from '../../server/database/database.ts'
import type { World } from './seed.ts'

/** The id of row `n`; `prefix` is one digit that differs between tables. */
export const idOf = (prefix: string, n: number) =>
  `${prefix}0000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
/** The same id as an SQL expression. */
export const uuid = (sql: Sql, prefix: string, n = 'n') =>
  sql.unsafe(`('${prefix}0000000-0000-4000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`)
const series = (sql: Sql, { count }: World) => sql`generate_series(1, ${count}::int) n`

/** Members with sessions and keys, workspaces, invites, audit entries. */
export async function seedMembers(sql: Sql, world: World): Promise<void> {
  const { owner, workspaceId, smallWorkspaceId, count } = world
  const { orgId } = owner
  const id = uuid(sql, 'a')
  const from = series(sql, world)
  await sql`
    insert into users (id, email, name, created_at, updated_at)
    select ${id}, n || '@example.com', 'Person ' || n, now(), now() from ${from}`
  await sql`
    insert into memberships (org_id, user_id, role, created_at) select ${orgId}, ${id}, 'member', now() from ${from}`
  await sql`
    insert into workspace_members (org_id, workspace_id, user_id, role, created_at)
    select ${orgId}, ${workspaceId}, ${id}, 'viewer', now() from ${from}`
  await sql`
    insert into sessions (id, token_hash, user_id, org_id, address, created_at, last_seen_at, expires_at)
    select ${id}, int4send(n), ${id}, ${orgId}, '::1', now(), now(), now() + interval '7 days' from generate_series(1, ${Math.min(count, 400)}::int) n`
  await sql`
    insert into api_keys (org_id, id, user_id, name, prefix, last_four, scopes, hash, created_at)
    select ${orgId}, ${id}, case when n <= 30 then ${owner.id}::uuid else ${id} end, 'key', 'atrium_test_', '0000', '{}',
      int4send(n), now() from ${from}`
  await sql`
    insert into app_grants (org_id, id, user_id, client_id, client_name, client_host, access, redirect_uri, challenge,
      code_hash, code_expires_at, code_used_at, refresh_until, created_at)
    select ${orgId}, ${id}, case when n <= 30 then ${owner.id}::uuid else ${id} end, 'client', 'App', 'app.example', 'read',
      'https://app.example', '', int4send(n), now(), now(), now() + interval '60 days', now()
    from generate_series(1, ${Math.min(count, 400)}::int) n`
  await sql`
    insert into workspaces (org_id, id, name, created_at, updated_at)
    select ${orgId}, ${id}, 'Workspace ' || n, now(), now() from generate_series(1, 50) n`
  await sql`
    insert into invites (org_id, id, email, role, token_hash, is_mailed, invited_by, created_at, expires_at)
    select ${orgId}, ${id}, n || '@example.org', 'member', int4send(n), true, ${owner.id}, now(), now() + interval '7 days'
    from ${from}`
  await sql`
    insert into audit (org_id, id, user_id, via, action, words, created_at)
    select ${orgId}, ${id}, case n % 100 when 0 then ${owner.id}::uuid else ${id} end, 'session',
      case n % 100 when 7 then 'key.created' else 'session.started' end,
      array_to_tsvector(array['sign', 'person' || n, case n % 1000 when 7 then 'rare' else 'frequent' end]), now() from ${from}`
  await sql`
    insert into api_key_days (org_id, key_id, day, calls)
    select k.org_id, k.id, current_date - d, 1 from api_keys k
    cross join lateral generate_series(0, case when k.user_id = ${owner.id} then 13 else 0 end) d where k.org_id = ${orgId}`
  await sql`
    insert into project_invites (org_id, project_id, id, token_hash, role, email, is_mailed, created_by, created_at)
    select ${orgId}, ${world.projectId}, ${id}, int4send(n), 'viewer', n || '@example.org', true, ${owner.id}, now()
    from generate_series(1, 50) n`
  await sql`
    insert into project_invites (org_id, project_id, id, token_hash, role, email, is_mailed, created_by, created_at)
    select ${orgId}, ${uuid(sql, 'b')}, ${uuid(sql, 'c')}, int8send(n), 'viewer', n || '@example.org', true, ${owner.id}, now()
    from ${from}`
  await sql`
    insert into workspace_members (org_id, workspace_id, user_id, role, created_at)
    select ${orgId}, ${smallWorkspaceId}, ${id}, 'viewer', now() from generate_series(1, ${count / 100}::int) n`
}

/** The canvas of one project: blocks in groups, edges, changes, runs and snapshots. */
export async function seedCanvas(sql: Sql, world: World): Promise<void> {
  const { owner, projectId } = world
  const key = sql`${owner.orgId}::uuid, ${projectId}::uuid`
  const id = uuid(sql, 'd')
  const from = series(sql, world)
  await sql`
    insert into blocks (org_id, project_id, id, type, x, y, width, height, created_at, updated_at)
    select ${key}, ${id}, case n % 100 when 0 then 'group' else 'note' end, n, n, 1, 1, now(), now() from ${from}`
  await sql`
    insert into edges (org_id, project_id, id, from_block_id, to_block_id, created_at)
    select ${key}, ${id}, ${id}, ${uuid(sql, 'e')}, now() from ${from}`
  await sql`
    insert into canvas_changes (org_id, project_id, seq, entity, item_id, action, before, after, user_id, run_id, created_at)
    select ${key}, n, 'block', ('d0000000-0000-4000-8000-' || lpad(to_hex(n % 100 + 1), 12, '0'))::uuid, 'moved', '{"x": 1}', '{"x": 2}',
      ${owner.id}::uuid, case when n % 100 = 0 then ${idOf('f', 1)}::uuid end, now() from ${from}`
  await sql`
    insert into runs (org_id, id, project_id, status, created_by, created_at)
    select ${owner.orgId}, ${uuid(sql, 'f')}, ${projectId}, case n % 100 when 0 then 'failed' else 'succeeded' end,
      ${owner.id}, now() from ${from}`
  await sql`
    insert into snapshots (org_id, project_id, id, seq, reason, created_by, created_at)
    select ${key}, ${id}, n, 'manual', ${owner.id}::uuid, now() from ${from}`
  await sql`
    update projects set change_seq = ${world.count} where org_id = ${owner.orgId} and id = ${projectId}`
}

/** Partitions between which the rows are distributed, as those of several weeks are. */
async function createPartitions(sql: Sql, count: number): Promise<void> {
  for (const table of ['events', 'deliveries', 'delivery_attempts'])
    for (let n = 0; n < PARTITIONS; n++) {
      const bounds = [n, n + 1].map((part) => idOf('1', Math.floor((part * count) / PARTITIONS)))
      await sql.unsafe(`
        create table ${table}_${n} partition of ${table} for values from ('${bounds[0]}') to ('${bounds[1]}')
        with (autovacuum_enabled = off)`)
    }
}
const PARTITIONS = 5

/** Events with a delivery and an attempt each; every second was received. */
export async function seedWebhooks(sql: Sql, world: World): Promise<void> {
  await createPartitions(sql, world.count)
  const { owner, webhookId } = world
  const { orgId } = owner
  const id = uuid(sql, '1')
  const from = series(sql, world)
  const direction = sql`case n % 2 when 0 then 'inbound' else 'internal' end`
  const type = sql`case when n % 100 = 0 then 'order.paid' when n % 2 = 0 then 'order.sent' else 'file.created' end`
  await sql`
    insert into webhooks (org_id, id, name, url, source, secret_sealed, secret_hash, created_by, created_at, updated_at)
    select ${orgId}, case n when 1 then ${webhookId}::uuid else ${id} end, 'Webhook', 'http://127.0.0.1/', 'custom', '', '',
      ${owner.id}, now(), now() from generate_series(1, 50) n`
  await sql`
    insert into events (org_id, id, webhook_id, direction, type, source, external_id, status, payload, received_at)
    select ${orgId}, ${id}, case n % 2 when 0 then ${webhookId}::uuid end,
      ${direction}, ${type}, 'atrium', case n % 100 when 0 then 'sent-' || n end,
      case n % 100 when 2 then 'failed' when 3 then 'failed' else 'delivered' end, jsonb_build_object('name', 'report', 'by', ${id}, 'projectId', ${uuid(sql, 'b')}), now()
    from ${from}`
  await sql`
    insert into deliveries (org_id, id, event_id, event_type, event_direction, webhook_id, url, status, attempt, trigger, created_at, completed_at)
    select ${orgId}, ${id}, ${id}, ${type}, ${direction}, ${webhookId}, 'http://127.0.0.1/',
      case n % 100 when 2 then 'failed' else 'succeeded' end, 1, 'scheduled', now(), now() from ${from}`
  await sql`
    insert into delivery_attempts (org_id, delivery_id, attempt, webhook_id, succeeded, started_at, duration_ms, request)
    select ${orgId}, ${id}, 1, ${webhookId}, true, now() - interval '2 days', 5, '{}' from ${from}`
  await sql`
    insert into webhook_quarters (org_id, webhook_id, slot, began_at, succeeded, failed)
    select org_id, id, slot, date_bin('15 minutes', now(), 'epoch') - slot * interval '15 minutes', 1, 1
    from webhooks, generate_series(0, 95) slot where org_id = ${orgId}`
}

/** Submissions, most of them one user’s, and comments on one submission. */
export async function seedFeedback(sql: Sql, world: World): Promise<void> {
  const { owner, feedbackId } = world
  const from = series(sql, world)
  await sql`
    insert into feedback (org_id, id, user_id, message, metadata, status, created_at, updated_at)
    select ${owner.orgId}, case n when 1 then ${feedbackId}::uuid else ${uuid(sql, '2')} end, ${owner.id}, 'message', '{}',
      case n % 100 when 0 then 'triaged' else 'open' end, now(), now() from ${from}`
  await sql`
    insert into feedback_comments (org_id, feedback_id, id, author_id, author_role, body, created_at)
    select ${owner.orgId}, ${feedbackId}, ${uuid(sql, '3')}, ${owner.id}, 'owner', 'body', now() from ${from}`
}

/** Ten times the default quota: no organization has as many agents as other records. */
const AGENTS_MAX = 1000

export async function seedAgents(sql: Sql, { owner, agentId, count }: World): Promise<void> {
  const from = sql`generate_series(1, ${Math.min(count, AGENTS_MAX)}::int) n`
  const settings = sql`(
    select settings || '{"prompt": ""}' from agent_versions where org_id = ${owner.orgId} limit 1)`
  await sql`
    insert into agents (org_id, id, name, sort_key, search_key, created_by, created_at, updated_at, archived_at)
    select ${owner.orgId}, case n when 1 then ${agentId}::uuid else ${uuid(sql, '1')} end, 'Agent ' || n, 'agent ' || n,
      'agent ' || n, ${owner.id}, now(), now(), case when n % 2 = 0 then now() end from ${from}`
  await sql`
    insert into agent_versions (org_id, agent_id, version, change, settings, created_at)
    select org_id, id, 1, 'created', ${settings}, now() from agents where org_id = ${owner.orgId}
    on conflict do nothing`
  await sql`
    insert into agent_versions (org_id, agent_id, version, change, settings, changed_by, created_at)
    select ${owner.orgId}, ${agentId}, n + 1, 'updated', ${settings}, ${owner.id}, now() from ${from}`
}

/** Memories for the organization, one project and many other projects, half as many proposals, and one memory’s versions. */
export async function seedMemory(sql: Sql, world: World): Promise<void> {
  const { owner, projectId, memoryId, count } = world
  const project = sql`case n % 3 when 0 then ${projectId}::uuid when 1 then ${uuid(sql, 'b')} end`
  const words = sql`'the photo of ' || n || case when n % 1000 = 1 then ' zebra' else '' end`
  const insert = (prefix: string, status: string, rows: number) => sql`
    insert into memories (org_id, id, project_id, key, content, tags, source, status, written_by, origin_project_id, created_at, updated_at)
    select ${owner.orgId}, ${prefix === '4' ? sql`case n when 1 then ${memoryId}::uuid else ${uuid(sql, prefix)} end` : uuid(sql, prefix)},
      ${project}, ${status} || n, ${words}, '{}', 'person', ${status}, ${owner.id},
      case when ${status} = 'proposed' then ${uuid(sql, 'b')} end, now(), now() - n * interval '1 second'
    from generate_series(1, ${rows}::int) n`
  await insert('4', 'active', count)
  await insert('5', 'proposed', count / 2)
  await sql`
    insert into memory_versions (org_id, memory_id, version, change, key, content, tags, source, created_at)
    select ${owner.orgId}, ${memoryId}, n, 'updated', 'key', 'content', '{}', 'person', now()
    from generate_series(1, 100) n`
}

/** The default quota, since no organization has as many skills as other records. */
const SKILLS_MAX = 200

export async function seedSkills(sql: Sql, { owner, skillId }: World): Promise<void> {
  await sql`
    insert into skills (org_id, id, name, description, search_key, file_count, size, created_at, updated_at)
    select ${owner.orgId}, case n when 1 then ${skillId}::uuid else ${uuid(sql, '6')} end, 'skill-' || n, 'Skill', 'skill ' || n,
      0, 0, now(), now() from generate_series(1, ${SKILLS_MAX}::int) n`
  const content = {
    license: null,
    compatibility: null,
    metadata: {},
    allowedTools: null,
    instructions: '',
    files: [],
  }
  await sql`
    insert into skill_versions (org_id, skill_id, version, change, content, created_at)
    select ${owner.orgId}, s.id, n, 'updated',
      ${sql.json(content)}::jsonb || jsonb_build_object('name', s.name, 'description', s.description), now()
    from skills s, generate_series(1, 2) n where s.org_id = ${owner.orgId}`
}
