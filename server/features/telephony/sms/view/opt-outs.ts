import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { sms } from '../../../../../contract/telephony/sms.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context } from '../../../../context.ts'
import { cursorPage, decodeCursor } from '../../../../database/cursor.ts'
import { notFound, raise, viewOnly } from '../../../../errors.ts'
import { deleteOptOut, insertOptOut, type OptOutRow } from '../opt-out-queries.ts'
import { findNumberAccess, findOptOut, listOptOuts } from './opt-out-list-queries.ts'

export async function readOptOuts(ctx: Context, { limit, cursor, numberId }: InputOf<typeof sms.optOuts>) {
  const { orgId, userId } = ctx.caller
  const list = `sms opt-outs ${orgId} ${userId} ${numberId ?? ''}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await listOptOuts(ctx.sql, ctx.caller, { numberId, before, limit: limit + 1 })
  return cursorPage(ctx.vault, list, limit, rows, present)
}

/** A repeated call returns the existing entry. */
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
