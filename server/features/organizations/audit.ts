import type { InputOf } from '../../../contract/endpoint.ts'
import type { organization } from '../../../contract/organizations/organization.ts'
import type { Context } from '../../context.ts'
import { cursorPage, decodeCursor } from '../../database/cursor.ts'
import { type AuditRow, listAudit } from './audit-queries.ts'

export async function readAudit(ctx: Context, input: InputOf<typeof organization.audit>) {
  const { limit, cursor, ...filter } = input
  const { orgId } = ctx.caller
  const list = `audit ${JSON.stringify([orgId, filter.action, filter.userId])}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await listAudit(ctx.sql, orgId, filter, before, limit + 1)
  return cursorPage(ctx.vault, list, limit, rows, present)
}

const present = ({ id, actorId, actorName, via, action, target, address, details, createdAt }: AuditRow) => ({
  id,
  actor: actorId && actorName !== null ? { id: actorId, name: actorName } : null,
  via,
  action,
  target,
  address,
  details,
  createdAt,
})
