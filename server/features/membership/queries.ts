import type { Role } from '../../../contract/accounts/accounts.ts'
import type { Sql } from '../../database/database.ts'

/** Holds until the transaction ends. Foreign key checks, such as those of a new session, do not wait for it. */
export const lockOrganizationRow = (sql: Sql, orgId: string) =>
  sql`select from organizations where id = ${orgId} for no key update`

export async function findRole(sql: Sql, orgId: string, userId: string): Promise<Role | null> {
  const [row] = await sql<{ role: Role }[]>`
    select role from memberships where org_id = ${orgId} and user_id = ${userId}`
  return row?.role ?? null
}
