import type { Sql } from '../../../database/database.ts'

export interface OrganizationRow {
  id: string
  name: string
  memberCount: number
  version: number
  createdAt: string
  updatedAt: string
}

const columns = (sql: Sql) => sql`
  o.id, o.name, o.version, o.created_at as "createdAt", o.updated_at as "updatedAt",
  o.member_count as "memberCount"`

export async function findOrganization(sql: Sql, orgId: string) {
  const [row] = await sql<OrganizationRow[]>`
    select ${columns(sql)} from organizations o where o.id = ${orgId}`
  return row ?? null
}

/** Null if the organization has another version by now. */
export async function updateName(
  sql: Sql,
  orgId: string,
  change: { name: string; version: string | undefined; now: Date },
) {
  const [row] = await sql<OrganizationRow[]>`
    update organizations o set name = ${change.name}, version = version + 1, updated_at = ${change.now}
    where o.id = ${orgId} and (${change.version ?? null}::text is null or o.version::text = ${change.version ?? null})
    returning ${columns(sql)}`
  return row ?? null
}
