import type { connections } from '../../../../../contract/connections/connections.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { ConnectorsConfig } from '../../../../config/connectors.ts'
import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { badRequest, conflict, notFound } from '../../../../errors.ts'
import { publish } from '../../../../events/publish.ts'
import { defineHook } from '../../../../hooks.ts'
import { projectAccess } from '../../../projects/access/access.ts'
import { findDefinition, validateFields } from '../../connectors/connectors.ts'
import { listCalls } from '../calls/call-queries.ts'
import { checkNow } from '../check-now.ts'
import { establish } from '../establish.ts'
import { listOfUser, listShared, updateLabel, updateSharing } from '../queries.ts'
import { findOwn, present, presentAll, recordOfOwn, withLapse } from '../records.ts'
import { revokeConnection } from '../revoke.ts'
import { connectionEvent } from '../status.ts'

/** Connections without held events may be absent. */
export const countHeldEvents = defineHook<
  (sql: Sql, orgId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, number>>
>('countHeldEvents', 'one')

export async function list(ctx: Context<'hooks'>, { shared }: InputOf<typeof connections.list>) {
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
  const held = await ctx.hooks.one(countHeldEvents)(
    ctx.sql,
    orgId,
    rows.map(({ id }) => id),
  )
  return { items: await presentAll(ctx.sql, orgId, rows, held) }
}

export async function get(ctx: Context<'hooks'>, { id }: InputOf<typeof connections.get>) {
  const row = await findOwn(ctx, id)
  const held = await ctx.hooks.one(countHeldEvents)(ctx.sql, ctx.caller.orgId, [id])
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
  async (ctx: Context<'outbound' | 'vault'>, { id }: InputOf<typeof connections.check>) => {
    await findOwn(ctx, id)
    await checkNow({ ...ctx, connectors }, ctx.caller.orgId, id)
    return present(ctx.sql, ctx.caller.orgId, await findOwn(ctx, id))
  }

export async function calls(ctx: Context, { id }: InputOf<typeof connections.calls>) {
  await findOwn(ctx, id)
  return { items: await listCalls(ctx.sql, ctx.caller.orgId, id) }
}

export const share = (ctx: Context, { id, shared, ...input }: InputOf<typeof connections.share>) =>
  ctx.transaction(async (inside) => {
    const { orgId } = ctx.caller
    const projectId = input.projectId ?? null
    const row = await findOwn(inside, id)
    if (shared !== 'none' && (row.status === 'pending' || row.status === 'failed'))
      throw conflict('The connection is not established yet')
    if (projectId !== null && !(await isVisible(inside.sql, ctx.caller, projectId))) throw notFound('Project')
    await updateSharing(inside.sql, orgId, id, { shared, projectId }, ctx.now())
    const record = await present(inside.sql, orgId, await findOwn(inside, id))
    const { slug } = row
    const details = { name: record.connector.name, shared, ...(projectId && { projectId }) }
    await recordAudit(inside, { action: 'connection.shared', by: ctx.caller, target: id, details })
    const event = connectionEvent('connection.shared', id, slug)
    await publish(inside, { ...event, data: { ...event.data, shared, projectId } })
    return record
  })

async function isVisible(sql: Sql, caller: Context['caller'], projectId: string): Promise<boolean> {
  const [row] = await sql`
    select from projects p
    where p.org_id = ${caller.orgId} and p.id = ${projectId} and p.deleted_at is null
      and ${projectAccess(sql, caller)} is not null`
  return row !== undefined
}

export const submitCredentials =
  (connectors: ConnectorsConfig) =>
  async (
    ctx: Context<'outbound' | 'vault'>,
    { id, credentials: entered }: InputOf<typeof connections.submitCredentials>,
  ) => {
    const { orgId } = ctx.caller
    const { slug } = await findOwn(ctx, id)
    const definition = await findDefinition(ctx.sql, orgId, slug)
    if (!definition) throw conflict(`The connector ${slug} no longer exists`)
    const { auth, name } = definition
    if (auth.type !== 'api_key') throw badRequest(`${name} does not use credentials`)
    const credentials = validateFields(auth.fields, entered, 'body.credentials')
    await establish({ ...ctx, connectors }, orgId, { id, credentials })
    await recordAudit(ctx, {
      action: 'connection.established',
      by: ctx.caller,
      target: id,
      details: { name },
    })
    return recordOfOwn(ctx, id)
  }
