import type { connections } from '../../../../../contract/connections/connections.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { conflict, notFound } from '../../../../errors.ts'
import { publish } from '../../../../events/publish.ts'
import { projectAccess } from '../../../projects/access/access.ts'
import { findOwn, present } from '../records.ts'
import { eventOf } from '../status.ts'
import { updateSharing } from '../write-queries.ts'

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
    const event = eventOf('connection.shared', id, slug)
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
