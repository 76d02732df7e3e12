import type { TestApp } from '../../server/testing/test-app.ts'
import { seedWorld, type World } from './seed.ts'
import { seedSmallTenants } from './small-tenants.ts'

const ROWS = 100_000
const UPLOADS = 20_000
const TABLES = [
  ...[
    'agents',
    'agent_sessions',
    'agent_versions',
    'api_keys',
    'approval_grants',
    'approvals',
    'audit',
    'blocks',
  ],
  ...[
    'canvas_changes',
    'deliveries',
    'delivery_attempts',
    'edges',
    'events',
    'feedback',
    'feedback_comments',
  ],
  ...['files', 'folders', 'guardrails', 'invites', 'memberships', 'memories', 'memory_versions', 'messages'],
  ...['project_invites', 'project_workspaces', 'projects', 'run_calls', 'run_steps', 'runs', 'snapshots'],
  ...['connections', 'connector_counts', 'connector_endpoints', 'connector_events', 'connector_replies'],
  ...['comments', 'notifications', 'skills', 'schedules', 'mcp_servers', 'sms_conversations', 'sms_opt_outs'],
  ...['calls', 'sms_messages', 'webhooks', 'workspace_members', 'workspaces'],
  ...['project_tables', 'table_rows', 'table_views', 'table_changes', 'table_row_changes'],
  ...['item_lists', 'list_items', 'form_requests'],
]

/** One organization with 100,000 rows in each table beside 500 with ten, with statistics. */
export async function seedLargeWorld(app: TestApp): Promise<World> {
  const { sql } = app
  // Creating an index afterwards takes a third of the time of maintaining it.
  const indexes = await sql<{ name: string; definition: string }[]>`
    select i.indexname as name, i.indexdef as definition from pg_indexes i
    where i.tablename = any(${[...TABLES, 'search_entries']}) and not exists (select from pg_constraint c where c.conname = i.indexname)`
  for (const { name } of indexes) await sql`drop index ${sql(name)}`
  const world = await seedWorld(app, { count: ROWS, uploads: UPLOADS })
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await seedSmallTenants(tx, TABLES)
  })
  await sql.begin(async (tx) => {
    await tx`set local maintenance_work_mem = '256MB'`
    // The definition of an index of a partitioned table leaves its partitions out.
    for (const { definition } of indexes) await tx.unsafe(definition.replace(' ON ONLY ', ' ON '))
  })
  await sql.unsafe('vacuum analyze')
  return world
}
