import { HEALTH_LIMITS } from '../../../../contract/organizations/health-options.ts'
import type { Sql } from '../../../database/database.ts'

/** The database itself; only operators can read it. */

const QUERY_CHARACTERS = 300

export interface DatabaseRow {
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

/** Usage is summed from the counters of the quotas, some rows for each organization. */
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

/** A partitioned table counts with its partitions. */
export const listTables = (sql: Sql) => sql<TableRow[]>`
  select max(case n.nspname when 'public' then '' else n.nspname || '.' end || r.relname) as name, sum(pg_total_relation_size(c.oid))::float8 as bytes,
    sum(greatest(c.reltuples, 0))::float8 as rows,
    sum(pg_stat_get_tuples_inserted(c.oid) - pg_stat_get_tuples_deleted(c.oid))::float8 as added
  from pg_class c
  join pg_class r on r.oid = coalesce(pg_partition_root(c.oid), c.oid)
  join pg_namespace n on n.oid = r.relnamespace and n.nspname in ('public', 'graphile_worker')
  where c.relkind = 'r'
  group by r.oid order by bytes desc limit ${HEALTH_LIMITS.tables}`

export interface StatementRow {
  query: string
  calls: number | null
  meanMs: number
  maxMs: number | null
  totalMs: number | null
}

/** The statements that took most of the time. PostgreSQL replaces their values by placeholders. */
export const listSlowest = (sql: Sql) => sql<StatementRow[]>`
  select left(query, ${QUERY_CHARACTERS}) as query, calls::float8, mean_exec_time as "meanMs", max_exec_time as "maxMs",
    total_exec_time as "totalMs"
  from pg_stat_statements
  where dbid = (select oid from pg_database where datname = current_database())
  order by total_exec_time desc limit ${HEALTH_LIMITS.statements}`

/** The statements that run for more than a second. Their values are parameters, which are not part of the text. */
export const listRunning = (sql: Sql) => sql<StatementRow[]>`
  select left(query, ${QUERY_CHARACTERS}) as query, null::float8 as calls,
    extract(epoch from now() - query_start)::float8 * 1000 as "meanMs", null::float8 as "maxMs", null::float8 as "totalMs"
  from pg_stat_activity
  where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and backend_type = 'client backend'
    and query_start < now() - interval '1 second'
  order by query_start limit ${HEALTH_LIMITS.statements}`
