import type { connections } from '../../../../../contract/connections/connections.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { ConnectorsConfig } from '../../../../config/connectors.ts'
import type { Context } from '../../../../context.ts'
import { listCalls } from '../calls/call-queries.ts'
import { checkNow } from '../check-now.ts'
import type { CountHeld } from '../held.ts'
import { listOfUser, listShared } from '../queries.ts'
import { findOwn, present, presentAll, withLapse } from '../records.ts'
import { revokeConnection } from '../revoke/revoke.ts'
import { updateLabel } from '../write-queries.ts'

export const list =
  (countHeld: CountHeld) =>
  async (ctx: Context, { shared }: InputOf<typeof connections.list>) => {
    const { orgId, userId } = ctx.caller
    const [own, others] = await Promise.all([
      listOfUser(ctx.sql, orgId, userId),
      shared ? listShared(ctx.sql, ctx.caller) : [],
    ])
    const now = ctx.now()
    const rows = [...own, ...others]
      .map((row) => withLapse(row, now))
      .toSorted(
        (left, right) => right.createdAt.localeCompare(left.createdAt) || right.id.localeCompare(left.id),
      )
    const held = await countHeld(
      ctx.sql,
      orgId,
      rows.map(({ id }) => id),
    )
    return { items: await presentAll(ctx.sql, orgId, rows, held) }
  }

export const get =
  (countHeld: CountHeld) =>
  async (ctx: Context, { id }: InputOf<typeof connections.get>) => {
    const row = await findOwn(ctx, id)
    const held = await countHeld(ctx.sql, ctx.caller.orgId, [id])
    return present(ctx.sql, ctx.caller.orgId, row, held.get(id))
  }

export async function update(ctx: Context, { id, label }: InputOf<typeof connections.update>) {
  await findOwn(ctx, id)
  await updateLabel(ctx.sql, ctx.caller.orgId, id, label, ctx.now())
  return present(ctx.sql, ctx.caller.orgId, await findOwn(ctx, id))
}

export const remove = (ctx: Context, { id }: InputOf<typeof connections.remove>) =>
  ctx.transaction(async (inside) => {
    await findOwn(inside, id)
    await revokeConnection(inside, { orgId: ctx.caller.orgId, id, by: ctx.caller })
    return { deleted: true as const }
  })

export const check =
  (connectors: ConnectorsConfig) =>
  async (ctx: Context, { id }: InputOf<typeof connections.check>) => {
    await findOwn(ctx, id)
    await checkNow({ ...ctx, connectors }, ctx.caller.orgId, id)
    return present(ctx.sql, ctx.caller.orgId, await findOwn(ctx, id))
  }

export async function calls(ctx: Context, { id }: InputOf<typeof connections.calls>) {
  await findOwn(ctx, id)
  return { items: await listCalls(ctx.sql, ctx.caller.orgId, id) }
}
