import { HEALTH_LIMITS, type Queue } from '../../../../contract/organizations/health-options.ts'
import type { Fragment, Sql } from '../../../database/database.ts'

// Across organizations. Only operators can read it.

const COUNTED_MAX = 100
const UNSENT_AFTER = '5 minutes'
const WORKER_ALIVE = '30 seconds'

export interface TaskRow {
  task: string
  waiting: number
  running: number
  retrying: number
  dead: number
  lagSeconds: number
}

/** Jobs and heartbeats use database time. Dead jobs have their own index. */
export const countTasks = (sql: Sql) => sql<TaskRow[]>`
  with open as materialized (
    select task_identifier as task, run_at, locked_at, attempts from graphile_worker.jobs
    where attempts < max_attempts or locked_at is not null limit ${HEALTH_LIMITS.counted}
  ), dead as materialized (
    select task_identifier as task from graphile_worker.jobs
    where attempts >= max_attempts and locked_at is null limit ${HEALTH_LIMITS.counted}
  )
  select task, sum(waiting)::int as waiting, sum(running)::int as running, sum(retrying)::int as retrying,
    sum(dead)::int as dead, coalesce(extract(epoch from now() - min(due)), 0)::float8 as "lagSeconds"
  from (
    select task, (locked_at is null and attempts = 0)::int as waiting, (locked_at is not null)::int as running,
      (locked_at is null and attempts > 0)::int as retrying, 0 as dead,
      case when run_at <= now() and locked_at is null then run_at end as due
    from open
    union all select task, 0, 0, 0, 1, null from dead
  ) jobs
  group by task`

interface PartsRow {
  workers: number
  unsent: number
  openFeedback: number
}

export async function readParts(sql: Sql, now: Date): Promise<PartsRow> {
  const [row] = await sql<[PartsRow]>`
    select
      (select count(*)::int from job_processes where seen_at > now() - ${WORKER_ALIVE}::interval) as workers,
      (select count(*)::int from (
        select from mails where sent_at is null and created_at < ${now}::timestamptz - ${UNSENT_AFTER}::interval
        limit ${COUNTED_MAX}) m) as unsent,
      (select count(*)::int from (select from feedback where status = 'open' limit ${COUNTED_MAX}) f) as "openFeedback"`
  return row
}

// Across organizations. Only operators can read it.

interface BacklogRow {
  queue: Queue
  waiting: number
  lagSeconds: number
}

/**
 * Finds each queue's oldest with one lookup per organization (or webhook) with work, in the index that workers claim
 * by, however much waits.
 */
export const readBacklogs = (sql: Sql, now: Date) => sql<BacklogRow[]>`
  with recursive ${firstOf(sql, 'run', sql`runs`, sql`due_at is not null`, sql`due_at`)},
    ${firstOf(sql, 'reply', sql`connector_replies`, sql`due_at is not null`, sql`due_at`)},
    ${firstOf(sql, 'entry', sql`search_backlog`, sql`true`, sql`due_at`)},
    ${firstOf(sql, 'text', sql`search_entries`, sql`text_due_at is not null`, sql`text_due_at`)},
    ${firstOf(sql, 'source', sql`passage_sources`, sql`due_at is not null`, sql`due_at`)},
    ${firstOf(sql, 'passage', sql`passage_backlog`, sql`true`, sql`due_at`)},
    ${firstOf(sql, 'embedding', sql`passage_embedders`, sql`due_at is not null`, sql`due_at`)},
    ${firstOf(sql, 'thread', sql`connector_threads`, sql`due_at is not null`, sql`due_at`, sql`endpoint_id`)},
    ${firstOf(sql, 'delivery', sql`deliveries`, isOpen(sql), sql`next_attempt_at`, sql`webhook_id`)}
  select * from (values
    ('deliveries', ${countOf(sql, sql`deliveries where ${isOpen(sql)}`)}, (select min(due) from delivery_due)),
    ('runs', ${countOf(sql, sql`runs where due_at <= ${now}`)}, (select min(due) from run_due)),
    ('provider_events', ${countOf(sql, sql`connector_threads where due_at <= ${now}`)}, (select min(due) from thread_due)),
    ('replies', ${countOf(sql, sql`connector_replies where due_at <= ${now}`)}, (select min(due) from reply_due)),
    ('emails', ${countOf(sql, sql`mails where sent_at is null`)},
      (select min(created_at) from mails where sent_at is null)),
    ('search', ${countOf(sql, sql`search_backlog where due_at <= ${now}`)}, (select min(due) from entry_due)),
    ('texts', ${countOf(sql, sql`search_entries where text_due_at <= ${now}`)}, (select min(due) from text_due)),
    ('passages', ${countOf(sql, sql`passage_sources where due_at <= ${now}`)}
      + ${countOf(sql, sql`passage_backlog where due_at <= ${now}`)},
      least((select min(due) from source_due), (select min(due) from passage_due))),
    ('sources', ${countOf(sql, dueSources(sql, now))}, (select min(due_at) from ${dueSources(sql, now)})),
    ('embeddings', ${countOf(
      sql,
      sql`passage_embedding_queue q where exists (
        select from passage_embedders e where e.org_id = q.org_id and e.id = q.embedder_id and e.due_at <= ${now})`,
    )}, (select min(due) from embedding_due))
  ) as q (queue, waiting, due)
  cross join lateral (
    select greatest(0, coalesce(extract(epoch from ${now}::timestamptz - due), 0))::float8 as "lagSeconds"
  ) l`

interface SourcesRow {
  syncing: number
  waiting: number
  failing: number
}

/** Failing ones that sync again count as failing. Their indexes have these conditions. */
export async function countSources(sql: Sql, now: Date): Promise<SourcesRow> {
  const [row] = await sql<[SourcesRow]>`
    select ${countOf(sql, sql`knowledge_sources where progress is not null and failures = 0`)} as syncing,
      ${countOf(sql, sql`${dueSources(sql, now)} and progress is null and failures = 0`)} as waiting,
      ${countOf(sql, sql`knowledge_sources where enabled and (failures > 0 or paused_reason is not null)`)} as failing`
  return row
}

/** No worker has claimed them. */
const dueSources = (sql: Sql, now: Date): Fragment =>
  sql`knowledge_sources where due_at <= ${now}` as Fragment

const isOpen = (sql: Sql): Fragment => sql`status in ('pending', 'retrying')` as Fragment

const countOf = (sql: Sql, rows: Fragment): Fragment =>
  sql`(select count(*)::int from (select from ${rows} limit ${HEALTH_LIMITS.counted}) r)` as Fragment

/** `name_due`: the first due time per organization or `part`, by a loose index scan. */
function firstOf(
  sql: Sql,
  name: string,
  table: Fragment,
  condition: Fragment,
  due: Fragment,
  part?: Fragment,
): Fragment {
  const key = part ? sql`org_id, ${part}` : sql`org_id`
  const same = part ? sql`t.org_id = k.org_id and t.${part} = k.${part}` : sql`t.org_id = k.org_id`
  const next = part ? sql`(t.org_id, t.${part}) > (k.org_id, k.${part})` : sql`t.org_id > k.org_id`
  const keys = sql(`${name}_keys`)
  return sql`
    ${keys} (${key}) as (
      (select ${key} from ${table} where ${condition} order by ${key} limit 1)
      union all
      select n.* from ${keys} k cross join lateral (
        select ${key} from ${table} t where ${condition} and ${next} order by ${key} limit 1
      ) n
    ), ${sql(`${name}_due`)} as (
      select f.due from ${keys} k cross join lateral (
        select t.${due} as due from ${table} t where ${same} and ${condition} order by t.${due} limit 1
      ) f
    )` as Fragment
}

const QUERY_CHARACTERS = 300

interface DatabaseRow {
  connections: number
  connectionsMax: number
  hasStatements: boolean
}

export async function readDatabase(sql: Sql): Promise<DatabaseRow> {
  const [row] = await sql<[DatabaseRow]>`
    select (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      current_setting('max_connections')::int as "connectionsMax",
      exists (select from pg_extension where extname = 'pg_stat_statements') and
        current_setting('shared_preload_libraries') like '%pg_stat_statements%' as "hasStatements"`
  return row
}

export interface SizesRow {
  bytes: number
  files: number
  storedBytes: number
}

/** Quota counters are a few rows per organization. */
export async function readSizes(sql: Sql): Promise<SizesRow> {
  const [row] = await sql<[SizesRow]>`
    select pg_database_size(current_database())::float8 as bytes, u.*
    from (
      select greatest(0, coalesce(sum(amount) filter (where quota = 'files'), 0))::float8 as files,
        greatest(0, coalesce(sum(amount) filter (where quota = 'storage'), 0))::float8 as "storedBytes"
      from quota_usage where quota in ('files', 'storage')
    ) u`
  return row
}

export interface TableRow {
  name: string
  bytes: number
  rows: number
  added: number
}

export const listTables = (sql: Sql) => sql<TableRow[]>`
  select max(case n.nspname when 'public' then '' else n.nspname || '.' end || r.relname) as name, sum(pg_total_relation_size(c.oid))::float8 as bytes,
    sum(greatest(c.reltuples, 0))::float8 as rows,
    sum(pg_stat_get_tuples_inserted(c.oid) - pg_stat_get_tuples_deleted(c.oid))::float8 as added
  from pg_class c
  join pg_class r on r.oid = coalesce(pg_partition_root(c.oid), c.oid)
  join pg_namespace n on n.oid = r.relnamespace and n.nspname in ('public', 'graphile_worker')
  where c.relkind = 'r'
  group by r.oid order by bytes desc limit ${HEALTH_LIMITS.tables}`

interface StatementRow {
  query: string
  calls: number | null
  meanMs: number
  maxMs: number | null
  totalMs: number | null
}

/** PostgreSQL replaces values with placeholders. */
export const listSlowest = (sql: Sql) => sql<StatementRow[]>`
  select left(query, ${QUERY_CHARACTERS}) as query, calls::float8, mean_exec_time as "meanMs", max_exec_time as "maxMs",
    total_exec_time as "totalMs"
  from pg_stat_statements
  where dbid = (select oid from pg_database where datname = current_database())
  order by total_exec_time desc limit ${HEALTH_LIMITS.statements}`

/** Running for more than a second. Values are parameters, not part of the text. */
export const listRunning = (sql: Sql) => sql<StatementRow[]>`
  select left(query, ${QUERY_CHARACTERS}) as query, null::float8 as calls,
    extract(epoch from now() - query_start)::float8 * 1000 as "meanMs", null::float8 as "maxMs", null::float8 as "totalMs"
  from pg_stat_activity
  where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and backend_type = 'client backend'
    and query_start < now() - interval '1 second'
  order by query_start limit ${HEALTH_LIMITS.statements}`

export const countProcesses = (sql: Sql) => sql<{ role: string; count: number }[]>`
  select role, count(*)::int from server_processes where seen_at > now() - interval '30 seconds' group by role`

export async function readSize(sql: Sql): Promise<number> {
  const [row] = await sql<[{ bytes: number }]>`select pg_database_size(current_database())::float8 as bytes`
  return row.bytes
}
