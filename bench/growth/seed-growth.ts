import type { Pool, Sql } from '../../server/database/database.ts'
import { type Chunk, organizationJoin, projectJoin, type Size, withoutTriggers } from './rows.ts'
import { seedCharts, seedEvents } from './seed-events.ts'
import { seedRuns } from './seed-runs.ts'
import { seedSearch } from './seed-search.ts'

/** Rows per transaction. With a million, each row takes several times as long. */
const CHUNK = 100_000
const PROJECTS_EACH = 10
const PROJECTS_OF_LARGEST = 1000

/** A crash while seeding only costs time. Reset before measuring. */
const SEEDING_SETTINGS = {
  max_wal_size: '8GB',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
}

/** Creating their secondary indexes after the rows takes a third of the time. */
const INDEXED_TABLES = [
  ...['events', 'deliveries', 'delivery_attempts', 'files', 'messages', 'runs', 'agent_sessions'],
  ...['run_calls', 'projects', 'project_workspaces', 'search_entries'],
]

/**
 * Ids and row order are as after weeks of operation. `growth_orgs` and `growth_projects` number the organizations; 0 is
 * the largest.
 */
export async function seedGrowth(sql: Pool, size: Size, log: (line: string) => void): Promise<void> {
  const step = async (name: string, work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    log(`${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`)
  }
  await configure(sql, SEEDING_SETTINGS)
  await step('organizations', () => seedOrganizations(sql, size))
  const indexes = await dropIndexes(sql)
  await step('projects', () => seedProjects(sql, size))
  await step(`${size.files} files`, () => insertInChunks(sql, size.files, seedFiles))
  await step(`${size.runs} runs`, () => withoutTriggers(sql, (tx) => seedRuns(tx, size)))
  await step(`${size.events} events`, () => insertInChunks(sql, size.events, seedEvents))
  await seedCharts(sql)
  await step('search', () => withoutTriggers(sql, seedSearch))
  await step('indexes', () =>
    sql.begin(async (tx) => {
      await tx`set local maintenance_work_mem = '512MB'`
      for (const definition of indexes) await tx.unsafe(definition)
    }),
  )
  await step('statistics', () => sql`vacuum analyze`)
  await sql`checkpoint`
  await configure(sql, Object.fromEntries(Object.keys(SEEDING_SETTINGS).map((name) => [name, null])))
}

async function configure(sql: Pool, settings: Record<string, string | null>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await sql.unsafe(value === null ? `alter system reset ${name}` : `alter system set ${name} = '${value}'`)
  await sql`select pg_reload_conf()`
}

/** Includes partitioned tables' keys. Returns the statements that recreate them. */
async function dropIndexes(sql: Pool): Promise<string[]> {
  const keys = await sql<{ drop: string; add: string }[]>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(c.oid)) as add
    from pg_constraint c join pg_class t on t.oid = c.conrelid
    where c.contype = 'p' and t.relkind = 'p' and not t.relispartition`
  const indexes = await sql<{ drop: string; add: string }[]>`
    select format('drop index %I', i.indexname) as drop, replace(i.indexdef, ' ON ONLY ', ' ON ') as add from pg_indexes i
    where i.schemaname = 'public' and i.tablename = any(${INDEXED_TABLES})
      and not exists (select from pg_constraint c where c.conname = i.indexname)`
  const all = [...indexes, ...keys]
  for (const { drop } of all) await sql.unsafe(drop)
  return all.map(({ add }) => add)
}

async function insertInChunks(
  sql: Pool,
  total: number,
  insert: (sql: Sql, chunk: Chunk) => Promise<unknown>,
) {
  const [row] = await sql<{ count: number }[]>`select count(*) from growth_orgs`
  for (let from = 1; from <= total; from += CHUNK) {
    const to = Math.min(from + CHUNK - 1, total)
    await withoutTriggers(sql, (tx) => insert(tx, { from, to, total, organizations: row!.count }))
  }
}

async function seedOrganizations(sql: Pool, { organizations }: Size): Promise<void> {
  await sql`
    create table growth_orgs as
    select i, uuidv7() as org_id, uuidv7() as workspace_id, uuidv7() as user_id, uuidv7() as webhook_id,
      case i when 0 then ${PROJECTS_OF_LARGEST}::int else ${PROJECTS_EACH}::int end as projects, uuidv7() as agent_id
    from generate_series(0, ${organizations - 1}::int) i`
  await sql`
    insert into organizations (id, name, created_at, updated_at)
    select org_id, 'Organization ' || i, now(), now() from growth_orgs`
  await sql`
    insert into users (id, email, name, created_at, updated_at)
    select user_id, i || '@example.com', 'Person ' || i, now(), now() from growth_orgs`
  await sql`
    insert into workspaces (org_id, id, name, created_at, updated_at)
    select org_id, workspace_id, 'General', now(), now() from growth_orgs`
  await sql`
    insert into memberships (org_id, user_id, role, default_workspace_id, created_at)
    select org_id, user_id, 'owner', workspace_id, now() from growth_orgs`
  await sql`
    insert into workspace_members (org_id, workspace_id, user_id, role, created_at)
    select org_id, workspace_id, user_id, 'editor', now() from growth_orgs`
  await seedAgents(sql)
  await sql`alter table growth_orgs add primary key (i)`
  await sql`
    insert into webhooks (org_id, id, name, url, source, secret_sealed, secret_hash, events, created_by, created_at, updated_at)
    select org_id, webhook_id, 'Orders', 'https://example.com/', 'custom', '', '', '{key.*}', user_id, now(), now()
    from growth_orgs`
  await sql`
    insert into notifications (org_id, user_id, id, kind, key, title, path, created_at, read_at)
    select org_id, user_id, uuidv7(- n * interval '1 hour'), 'run', 'key ' || n, 'A run has failed', '/',
      now() - n * interval '1 hour', case when n > 5 then now() end
    from growth_orgs, generate_series(1, 20) n`
}

/** Copies the first organization's assistant to all others. */
async function seedAgents(sql: Pool): Promise<void> {
  await sql`select add_assistant(org_id, now()) from growth_orgs where i = 0`
  await sql`update growth_orgs o set agent_id = a.id from agents a where o.i = 0 and a.org_id = o.org_id`
  await withoutTriggers(sql, async (tx) => {
    await tx`
      insert into agents (org_id, id, name, sort_key, search_key, created_at, updated_at)
      select o.org_id, o.agent_id, a.name, a.sort_key, a.search_key, now(), now() from agents a, growth_orgs o where o.i > 0`
    await tx`
      insert into agent_versions (org_id, agent_id, version, change, settings, created_at)
      select o.org_id, o.agent_id, 1, 'created', v.settings, now() from agent_versions v, growth_orgs o where o.i > 0`
  })
}

async function seedProjects(sql: Pool, size: Size): Promise<void> {
  await sql`
    create table growth_projects as
    select o.i, k, o.org_id, uuidv7(t.at - clock_timestamp()) as id, uuidv7(t.at - clock_timestamp()) as folder_id, 'Project ' || k as name, t.at
    from growth_orgs o cross join lateral generate_series(0, o.projects - 1) k
    cross join lateral (select now() - interval '60 days' + k * interval '1 hour' as at) t`
  await sql`alter table growth_projects add primary key (i, k)`
  await sql`analyze growth_orgs, growth_projects`
  const from = sql`growth_projects p join growth_orgs o on o.i = p.i`
  await withoutTriggers(sql, async (tx) => {
    await tx`
      insert into projects (org_id, id, workspace_id, user_id, name, slug, search_key, visibility, sort_key, active_at,
        changed_at, created_at, updated_at)
      select p.org_id, p.id, o.workspace_id, o.user_id, p.name, 'project-' || p.k, lower(p.name), 'team', lower(p.name), p.at,
        p.at, p.at, p.at from ${from}`
    await tx`
      insert into project_workspaces (org_id, project_id, workspace_id, listed, sort_key, active_at, created_at, folder_id,
        folder_key, folder_at, audience_id)
      select p.org_id, p.id, o.workspace_id, true, lower(p.name), p.at, p.at, p.folder_id, lower(p.name), p.at, o.workspace_id
      from ${from}`
    await tx`
      insert into folders (org_id, id, parent_id, path, project_id)
      select p.org_id, p.folder_id, p.org_id, array[p.org_id, p.folder_id], p.id from ${from}`
    await tx`
      insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, protected, created_by,
        created_at, updated_at)
      select p.org_id, p.folder_id, p.org_id, 'folder', p.name, lower(p.name), lower(p.name), 'inode/directory', true,
        o.user_id, p.at, p.at from ${from}`
    await tx`
      insert into objects (org_id, key, stored_at, created_at)
      select org_id, org_id || '/' || repeat('0', 32), now(), now() from growth_orgs`
    await tx`
      insert into quota_overrides (org_id, quota, allowed, updated_at)
      select org_id, quota, 1000000000, now() from growth_orgs, unnest(array['events', 'files', 'projects']) quota where i = 0`
    await tx`
      insert into quota_usage (org_id, quota, amount)
      select org_id, quota, amount / case i when 0 then 10 else ${size.organizations}::int end from growth_orgs,
        (values ('events', ${size.events}::int), ('files', ${size.files}::int)) each (quota, amount)
      union all select org_id, 'projects', projects from growth_orgs`
  })
}

/** Half the files are in the root folder, the others in projects. */
const seedFiles = (sql: Sql, { from, to, organizations }: Chunk) => sql`
  insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, size, object_key, tags, created_by,
    created_at, updated_at)
  select o.org_id, uuidv7(t.at - clock_timestamp()), case when (n / 10) % 2 = 0 then o.org_id else p.folder_id end, 'upload', t.name, t.name, t.name,
    'application/pdf', n % 5000, o.org_id || '/' || repeat('0', 32), '{}', o.user_id, t.at, t.at
  from generate_series(${from}::int, ${to}::int) n join ${organizationJoin(sql, organizations)} join ${projectJoin(sql)}
  cross join lateral (
    select (array['report', 'photo', 'invoice', 'contract', 'minutes'])[1 + n % 5] || ' ' || n || '.pdf' as name,
      now() - interval '50 days' + n * interval '1 second' as at
  ) t`
