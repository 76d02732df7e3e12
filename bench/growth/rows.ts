import type { Pool, Sql } from '../../server/database/database.ts'

/** One organization has a tenth of the rows; the others share the rest. */
export interface Size {
  organizations: number
  events: number
  files: number
  runs: number
}

/** Rows `from` to `to` out of `total`. */
export interface Chunk {
  from: number
  to: number
  total: number
  organizations: number
}

/** Seeded rows are consistent, and checking foreign keys would take most of the time. */
export const withoutTriggers = (sql: Pool, work: (tx: Sql) => Promise<unknown>) =>
  sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await work(tx)
  })

/** Row `n`'s organization. Every tenth row belongs to the largest. */
export const organizationJoin = (sql: Sql, organizations: number) =>
  sql`growth_orgs o on o.i = case when n % 10 = 0 then 0 else 1 + n % ${organizations - 1}::int end`
export const projectJoin = (sql: Sql) =>
  sql`growth_projects p on p.i = o.i and p.k = (n / 10 + n) % o.projects`
