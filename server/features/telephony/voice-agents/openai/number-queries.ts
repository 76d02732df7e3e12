import type { Sql } from '../../../../database/database.ts'

export interface OwnNumber {
  orgId: string
  id: string
  projectId: string
}

export async function findNumberIn(sql: Sql, orgId: string, e164: string): Promise<OwnNumber | null> {
  const [row] = await sql<OwnNumber[]>`
    select org_id as "orgId", id, project_id as "projectId" from phone_numbers
    where org_id = ${orgId} and e164 = ${e164} and released_at is null`
  return row ?? null
}

/** A number belongs to one organization at a time: this lookup finds the tenant of an event of this server's account. */
export async function findSharedNumber(sql: Sql, e164: string): Promise<OwnNumber | null> {
  const [row] = await sql<OwnNumber[]>`
    select org_id as "orgId", id, project_id as "projectId" from phone_numbers
    where e164 = ${e164} and released_at is null`
  return row ?? null
}
