import type { Sql } from '../../../database/database.ts'

/** One token at a time, as its hash. */
export const updateToken = (sql: Sql, orgId: string, callId: string, hash: string, until: Date) => sql`
  update calls set relay = relay || ${sql.json({ tokenHash: hash, tokenUntil: until.toISOString() })}
  where org_id = ${orgId} and id = ${callId} and ended_at is null`

/** Of two connections with the same token, one gets true. */
export async function consumeToken(
  sql: Sql,
  orgId: string,
  callId: string,
  hash: string,
  now: Date,
): Promise<boolean> {
  const { count } = await sql`
    update calls set relay = relay - 'tokenHash' - 'tokenUntil'
    where org_id = ${orgId} and id = ${callId} and ended_at is null and relay ->> 'tokenHash' = ${hash}
      and (relay ->> 'tokenUntil')::timestamptz > ${now}`
  return count > 0
}
