import type { Sql } from '../../../database/database.ts'

/** Figures of the installation for scrapers. */

export const countProcesses = (sql: Sql) => sql<{ role: string; count: number }[]>`
  select role, count(*)::int from server_processes where seen_at > now() - interval '30 seconds' group by role`

export async function readSize(sql: Sql): Promise<number> {
  const [row] = await sql<[{ bytes: number }]>`select pg_database_size(current_database())::float8 as bytes`
  return row.bytes
}
