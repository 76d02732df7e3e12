import type { Sql } from '../../../database/database.ts'
import type { TenantTable } from '../../../database/tenant-tables.ts'
import { flagOf, LANES, type Lane } from '../../../jobs/job.ts'

/** Deletes at most `limit` rows of the organization. In a tree, rows that no other row refers to are deleted first. */
export async function deleteBatch(
  sql: Sql,
  orgId: string,
  { table, partition, limit }: { table: TenantTable; partition: string; limit: number },
): Promise<number> {
  const unreferenced = table.selfReferences.map(
    ({ from, to }) => `and not exists (select from "${table.name}" x where ${equal('x', from, 't', to)})`,
  )
  const { count } = await sql`
    delete from ${sql.unsafe(partition)} where ctid = any(array(
      select t.ctid from ${sql.unsafe(partition)} t
      where t.org_id = ${orgId} ${sql.unsafe(unreferenced.join(' '))} limit ${limit}))`
  return count
}

const equal = (left: string, from: string[], right: string, to: string[]) =>
  from.map((column, at) => `${left}.${column} = ${right}.${to[at]}`).join(' and ')

/**
 * Deletes the jobs of the organization that have not begun. Those of the lane `bulk` stay: they run in spite of a
 * suspension, and remove objects whose rows are gone.
 */
export const deleteJobs = (sql: Sql, orgId: string) => sql`
  delete from graphile_worker._private_jobs
  where locked_at is null and flags = any(array(
    select jsonb_build_object(flag, true) from unnest(${flagsOf(orgId)}::text[]) as flag))`

const flagsOf = (orgId: string) =>
  (Object.keys(LANES) as Lane[]).filter((lane) => lane !== 'bulk').map((lane) => flagOf(lane, orgId))

export async function listObjectKeys(sql: Sql, orgId: string, limit: number): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select key from objects where org_id = ${orgId} order by key limit ${limit}`
  return rows.map(({ key }) => key)
}

export async function deleteObjectRows(sql: Sql, orgId: string, keys: string[]): Promise<number> {
  const { count } = await sql`delete from objects where org_id = ${orgId} and key = any(${keys})`
  return count
}

/** Deletes the organization itself. Fails if it still has rows in another table. */
export async function deleteOrganization(sql: Sql, orgId: string): Promise<void> {
  await sql`delete from suspensions where org_id = ${orgId}`
  await sql`delete from organizations where id = ${orgId}`
}
