import { recordAudit } from '../../../audit/record.ts'
import type { Caller, Context } from '../../../context.ts'
import { badRequest, forbidden } from '../../../errors.ts'
import { publishProjectEvent } from './events.ts'
import { lockIncludingDeleted } from './find.ts'
import { emptyPurged } from './jobs.ts'
import { updatePurged } from './purge-queries.ts'
import { auditName, type ProjectRow } from './records.ts'

/** Permanently deletes a project in the trash. A job deletes its content in batches. */
export const purge = (ctx: Context, ref: string): Promise<void> =>
  ctx.transaction(async (inside) => {
    const row = await lockIncludingDeleted(inside, ref)
    if (row.deletedAt === null)
      throw badRequest('Only deleted projects can be purged: delete this project first')
    requirePurger(ctx.caller, row)
    const { orgId, id } = row
    await updatePurged(inside.sql, orgId, id, ctx.now())
    await recordAudit(inside, {
      action: 'project.purged',
      by: ctx.caller,
      target: id,
      details: auditName(row),
    })
    await publishProjectEvent(inside, 'project.purged', { id })
    await inside.enqueue(emptyPurged, {})
  })

/** Purging cannot be undone, so members purge only projects of their own. */
function requirePurger({ userId, role }: Caller, project: ProjectRow): void {
  if (role !== 'member' || project.userId === userId) return
  throw forbidden('Only the creator of this project, admins and owners can purge it', {
    reason: 'not_creator',
  })
}
