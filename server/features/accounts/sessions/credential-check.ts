import type { Caller } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'

/** Whether credential, membership and role are unchanged: for streams, which outlive the request that opened them. */
export async function isCredentialValid(sql: Sql, caller: Caller, now: Date): Promise<boolean> {
  const { orgId, userId, role, via, credentialId } = caller
  const credential =
    via === 'key'
      ? sql`select from api_keys where org_id = ${orgId} and id = ${credentialId} and revoked_at is null`
      : sql`select from sessions where id = ${credentialId} and org_id = ${orgId} and expires_at > ${now}`
  const rows = await sql`
    select from memberships
    where org_id = ${orgId} and user_id = ${userId} and role = ${role} and exists (${credential} and user_id = ${userId})`
  return rows.length > 0
}
