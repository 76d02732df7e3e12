import type { InputOf } from '../../../../contract/endpoint.ts'
import type { projects } from '../../../../contract/projects/projects.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { notifyAccessChanged } from '../../../streams/notify.ts'
import { projectFolders } from '../../files/files/files.ts'
import { ensureFolder } from './create.ts'
import { publishProjectEvent } from './events.ts'
import { lockIncludingDeleted, lockProject } from './find.ts'
import { purge } from './purge.ts'
import { deleteSharing, updateDeleted, updateListed } from './queries.ts'
import { auditName, present } from './records.ts'

export async function remove(ctx: Context, { id, permanent }: InputOf<typeof projects.remove>) {
  await (permanent ? purge(ctx, id) : trash(ctx, id))
  return { deleted: true as const }
}

/** Canvas and history are reachable only through the project. */
async function trash(ctx: Context, ref: string): Promise<void> {
  return ctx.transaction(async (inside) => {
    const { sql } = inside
    const row = await lockProject(inside, ref)
    const { orgId, id, folderId } = row
    await updateDeleted(sql, orgId, id, { deletedAt: ctx.now(), now: ctx.now() })
    await updateListed(sql, orgId, id, false)
    await deleteSharing(sql, orgId, id)
    if (folderId !== null) await projectFolders.trash(inside, id)
    await recordAudit(inside, {
      action: 'project.deleted',
      by: ctx.caller,
      target: id,
      details: auditName(row),
    })
    await publishProjectEvent(inside, 'project.deleted', { id })
    await sql`select ${notifyAccessChanged(sql, { orgId, projectId: id })}`
  })
}

/** Idempotent. */
export async function undelete(ctx: Context<'quotas'>, { id: ref }: InputOf<typeof projects.undelete>) {
  return ctx.transaction(async (inside) => {
    const { sql } = inside
    const row = await lockIncludingDeleted(inside, ref)
    const { orgId, id, visibility } = row
    if (row.deletedAt === null) return present(row)
    const restored = await updateDeleted(sql, orgId, id, { deletedAt: null, now: ctx.now() })
    await ctx.quotas.requireWithin(sql, orgId, 'projects', ctx.now())
    await updateListed(sql, orgId, id, visibility === 'team')
    if (row.folderId !== null) await projectFolders.restore(inside, id)
    await recordAudit(inside, {
      action: 'project.undeleted',
      by: ctx.caller,
      target: id,
      details: auditName(row),
    })
    await publishProjectEvent(inside, 'project.restored', { id }, { from: 'trash' })
    return present(await ensureFolder(inside, { ...restored, access: row.access }))
  })
}
