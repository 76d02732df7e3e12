import type { InputOf } from '../../../../contract/endpoint.ts'
import type { sms } from '../../../../contract/telephony/sms.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Caller, Context } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import type { Sql } from '../../../database/database.ts'
import { notFound, raise, viewOnly } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { isProjectVisible, projectAccessById } from '../../projects/access/access.ts'
import type { NumberAndPeer } from './message-queries.ts'

export async function readOptOuts(
  ctx: Context<'vault'>,
  { limit, cursor, numberId }: InputOf<typeof sms.optOuts>,
) {
  const { orgId, userId } = ctx.caller
  const list = `sms opt-outs ${orgId} ${userId} ${numberId ?? ''}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await listOptOuts(ctx.sql, ctx.caller, { numberId, before, limit: limit + 1 })
  return cursorPage(ctx.vault, list, limit, rows, present)
}

/** Idempotent: returns the existing entry. */
export const addOptOut = (ctx: Context, { numberId, recipient }: InputOf<typeof sms.addOptOut>) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    await requireNumber(inside, numberId)
    const pair = { numberId, peer: recipient }
    if (await insertOptOut(sql, caller.orgId, pair, { source: 'member', now: ctx.now() }))
      await audit(inside, 'sms.opt-out-added', pair)
    return present((await findOptOut(sql, caller.orgId, pair))!)
  })

export const removeOptOut = (ctx: Context, { numberId, recipient }: InputOf<typeof sms.removeOptOut>) =>
  ctx.transaction(async (inside) => {
    await requireNumber(inside, numberId)
    const pair = { numberId, peer: recipient }
    if (!(await deleteOptOut(inside.sql, inside.caller.orgId, pair))) throw notFound('Recipient')
    await audit(inside, 'sms.opt-out-removed', pair)
    return { deleted: true as const }
  })

async function requireNumber({ sql, caller }: Context, numberId: string): Promise<void> {
  const access = (await findNumberAccess(sql, caller, numberId)) ?? raise(notFound('Phone number'))
  if (access !== 'edit') throw viewOnly()
}

const audit = (
  ctx: Context,
  action: 'sms.opt-out-added' | 'sms.opt-out-removed',
  { numberId, peer }: { numberId: string; peer: string },
) => recordAudit(ctx, { action, by: ctx.caller, target: numberId, details: { recipient: peer } })

const present = ({ id: _id, ...optOut }: OptOutRow) => optOut

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

export async function deleteOptOut(
  sql: Sql,
  orgId: string,
  { numberId, peer }: NumberAndPeer,
): Promise<boolean> {
  const { count } = await sql`
    delete from sms_opt_outs where org_id = ${orgId} and number_id = ${numberId} and recipient = ${peer}`
  return count === 1
}

/** Newest first. Organizations have few numbers, each read in this order. */
const listOptOuts = (
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

async function findOptOut(
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

/** Null without access. */
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
