import type { AuditAction } from '../../contract/audit-actions.ts'
import type { Caller, PublicContext } from '../context.ts'
import { addJob } from '../jobs/job.ts'
import { newId } from '../security/ids.ts'
import { searchTermsOf } from './search-terms.ts'
import { isNotified, signInMethodsChanged } from './sign-in-notices.ts'

export interface AuditEntry {
  action: AuditAction
  /** The actor and the organization: the caller, if a call causes the action. */
  by: { orgId: string; userId: string | null; via: Caller['via'] | 'system' }
  target?: string
  details?: Record<string, string>
  /** The recipient of the sign-in notice, if not the email address of the account at the time of sending. */
  noticeTo?: string
}

/** Records a security-relevant action. Run it on the transaction of the action, so that neither exists alone. */
export async function recordAudit(
  ctx: Pick<PublicContext, 'sql' | 'now' | 'origin'>,
  entry: AuditEntry,
): Promise<void> {
  const { orgId, userId, via } = entry.by
  const { action, target = null, details = {}, noticeTo } = entry
  const { ip } = ctx.origin
  const id = newId()
  const [actor = null] = await ctx.sql<{ name: string; email: string }[]>`
    select name, email from users where id = ${userId}`
  const words = searchTermsOf({ action, actor, target, details })
  await ctx.sql`
    insert into audit (org_id, id, user_id, via, action, target, address, details, words, created_at)
    values (${orgId}, ${id}, ${userId}, ${via}, ${action}, ${target}, ${ip}, ${ctx.sql.json(details)},
      array_to_tsvector(${words}::text[]), ${ctx.now()})`
  if (!isNotified(action) || userId === null) return
  const notice = { id, userId, action, address: ip, at: ctx.now().toISOString(), to: noticeTo }
  await ctx.sql`select ${addJob(ctx.sql, signInMethodsChanged, notice)}`
}

const HOUR_MS = 3_600_000

/** For an action in many requests, such as a download in parts: records it once an hour for the same person and details. */
export async function recordAuditHourly(
  ctx: Pick<PublicContext, 'sql' | 'now' | 'origin'>,
  entry: AuditEntry,
): Promise<void> {
  const { by, action, details = {} } = entry
  const since = new Date(ctx.now().getTime() - HOUR_MS)
  const recentEntries = await ctx.sql`
    select from audit where org_id = ${by.orgId} and action = ${action} and user_id = ${by.userId}
      and details = ${ctx.sql.json(details)} and created_at > ${since} limit 1`
  if (recentEntries.length === 0) await recordAudit(ctx, entry)
}

/** Name and email at the time of the action: the entry stays readable after the person has left. */
export const auditName = ({ name, email }: { name: string; email: string }) => ({ name, email })
