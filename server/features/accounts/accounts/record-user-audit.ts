import { type AuditEntry, recordAudit } from '../../../audit/record.ts'
import type { PublicContext } from '../../../context.ts'
import { findDefaultWorkspace } from './queries.ts'

/** Records an action of a user who has no session, such as with an emailed link, in the first organization they joined. */
export async function recordUserAudit(
  ctx: Pick<PublicContext, 'sql' | 'now' | 'origin'>,
  userId: string,
  entry: Pick<AuditEntry, 'action' | 'details'>,
): Promise<void> {
  const workspace = await findDefaultWorkspace(ctx.sql, userId)
  if (workspace) await recordAudit(ctx, { ...entry, by: { orgId: workspace.orgId, userId, via: 'system' } })
}
