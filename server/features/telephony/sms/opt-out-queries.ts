import type { Sql } from '../../../database/database.ts'
import { newId } from '../../../security/ids.ts'
import type { NumberAndPeer } from './message-queries.ts'

export interface OptOutRow {
  id: string
  numberId: string
  number: string
  recipient: string
  source: 'message' | 'carrier' | 'member'
  createdAt: string
}

export async function isOptedOut(
  sql: Sql,
  orgId: string,
  { numberId, peer }: NumberAndPeer,
): Promise<boolean> {
  const [row] = await sql`
    select from sms_opt_outs where org_id = ${orgId} and number_id = ${numberId} and recipient = ${peer}`
  return row !== undefined
}

/** False if the recipient has opted out already. */
export async function insertOptOut(
  sql: Sql,
  orgId: string,
  { numberId, peer }: NumberAndPeer,
  { source, now }: { source: OptOutRow['source']; now: Date },
): Promise<boolean> {
  const { count } = await sql`
    insert into sms_opt_outs (org_id, id, number_id, recipient, source, created_at)
    values (${orgId}, ${newId()}, ${numberId}, ${peer}, ${source}, ${now}) on conflict do nothing`
  return count === 1
}

/** False if the recipient has not opted out. */
export async function deleteOptOut(
  sql: Sql,
  orgId: string,
  { numberId, peer }: NumberAndPeer,
): Promise<boolean> {
  const { count } = await sql`
    delete from sms_opt_outs where org_id = ${orgId} and number_id = ${numberId} and recipient = ${peer}`
  return count === 1
}

/** Moves the opt-outs of a released number to its new import: the recipients still get no messages from it. */
export const moveOptOuts = (sql: Sql, orgId: string, { id, e164 }: { id: string; e164: string }) => sql`
  with moved as (
    delete from sms_opt_outs o using phone_numbers n
    where n.org_id = ${orgId} and n.e164 = ${e164} and n.id <> ${id} and o.org_id = n.org_id and o.number_id = n.id
    returning o.*
  )
  insert into sms_opt_outs (org_id, id, number_id, recipient, source, created_at)
  select distinct on (recipient) org_id, id, ${id}::uuid, recipient, source, created_at from moved
  order by recipient, created_at
  on conflict do nothing`
