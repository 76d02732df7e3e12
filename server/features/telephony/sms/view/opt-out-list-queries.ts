import type { Caller } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { isProjectVisible, projectAccessById } from '../../../projects/access/access.ts'
import type { NumberAndPeer } from '../message-queries.ts'
import type { OptOutRow } from '../opt-out-queries.ts'

/** A page, newest first: an organization has few numbers, and each is read in this order. */
export const listOptOuts = (
  sql: Sql,
  caller: Caller,
  { numberId, before, limit }: { numberId: string | undefined; before: string | null; limit: number },
) => sql<OptOutRow[]>`
  select o.id, n.id as "numberId", n.e164 as number, o.recipient, o.source, o.created_at as "createdAt"
  from phone_numbers n cross join lateral (
    select * from sms_opt_outs o
    where o.org_id = n.org_id and o.number_id = n.id ${before ? sql`and o.id < ${before}` : sql``}
    order by o.id desc limit ${limit}
  ) o
  where n.org_id = ${caller.orgId} ${numberId ? sql`and n.id = ${numberId}` : sql``}
    and ${isProjectVisible(sql, caller, sql`n.project_id`)}
  order by o.id desc limit ${limit}`

export async function findOptOut(
  sql: Sql,
  orgId: string,
  { numberId, peer }: NumberAndPeer,
): Promise<OptOutRow | null> {
  const [row] = await sql<OptOutRow[]>`
    select o.id, n.id as "numberId", n.e164 as number, o.recipient, o.source, o.created_at as "createdAt"
    from sms_opt_outs o join phone_numbers n on n.org_id = o.org_id and n.id = o.number_id
    where o.org_id = ${orgId} and o.number_id = ${numberId} and o.recipient = ${peer}`
  return row ?? null
}

/** The access of the caller to the project of a number. Null without any. */
export async function findNumberAccess(
  sql: Sql,
  caller: Caller,
  numberId: string,
): Promise<'view' | 'edit' | null> {
  const [row] = await sql<{ access: 'view' | 'edit' | null }[]>`
    select ${projectAccessById(sql, caller, sql`n.project_id`)} as access from phone_numbers n
    where n.org_id = ${caller.orgId} and n.id = ${numberId}`
  return row?.access ?? null
}
