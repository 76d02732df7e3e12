import type { Pool, Sql } from '../../server/database/database.ts'

/** How many rows an installation has. One organization has a tenth of them, the others share the rest. */
export interface Size {
  organizations: number
  events: number
  files: number
  runs: number
}

/** A part of the rows: numbers `from` to `to` of `total`. */
export interface Chunk {
  from: number
  to: number
  total: number
  organizations: number
}

/** The rows are consistent: checking foreign keys would take most of the time. */
export const withoutTriggers = (sql: Pool, work: (tx: Sql) => Promise<unknown>) =>
  sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await work(tx)
  })

/** The organization of row `n`: every tenth row belongs to the largest. */
export const orgOf = (sql: Sql, organizations: number) =>
  sql`growth_orgs o on o.i = case when n % 10 = 0 then 0 else 1 + n % ${organizations - 1}::int end`
/** A project of that organization. */
export const projectOf = (sql: Sql) => sql`growth_projects p on p.i = o.i and p.k = (n / 10 + n) % o.projects`
