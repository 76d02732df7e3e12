import type { Caller } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { projectAccess } from '../../projects/access/access.ts'

export interface CallingNumber {
  id: string
  e164: string
  projectId: string
  settings: unknown
}

/** The number that a caller calls from: this one, or the oldest, of the projects that the caller can edit. */
export async function findCallingNumber(
  sql: Sql,
  caller: Caller,
  e164: string | undefined,
): Promise<CallingNumber | null> {
  const [row] = await sql<CallingNumber[]>`
    select n.id, n.e164, n.project_id as "projectId", n.settings from phone_numbers n
    join projects p on p.org_id = n.org_id and p.id = n.project_id and p.deleted_at is null
    where n.org_id = ${caller.orgId} and n.released_at is null and n.status = 'active'
      and (n.capabilities -> 'voice')::boolean and ${projectAccess(sql, caller)} = 'edit'
      ${e164 === undefined ? sql`` : sql`and n.e164 = ${e164}`}
    order by n.created_at, n.id limit 1`
  return row ?? null
}

/** The account at the carrier that has the calls of a number. */
export async function findAccount(
  sql: Sql,
  orgId: string,
  numberId: string,
): Promise<{ connectionId: string | null } | null> {
  const [row] = await sql<{ connectionId: string | null }[]>`
    select connection_id as "connectionId" from phone_numbers where org_id = ${orgId} and id = ${numberId}`
  return row ?? null
}
