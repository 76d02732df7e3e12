import type { Caller, PublicContext } from '../context.ts'
import { isNoticed } from '../features/accounts/email/notices.ts'
import { waysInChanged } from '../features/accounts/jobs.ts'
import { findHome } from '../features/accounts/queries.ts'
import { addJob } from '../jobs/job.ts'
import { newId } from '../security/ids.ts'

type Action =
  | 'setup'
  | 'sign-in'
  | 'sign-out'
  | 'sign-up'
  | 'step-up'
  | 'password.changed'
  | 'email.verified'
  | 'email.change-requested'
  | 'email.changed'
  | 'totp.enabled'
  | 'totp.removed'
  | 'recovery-codes.renewed'
  | 'passkey.added'
  | 'passkey.removed'
  | 'identity.linked'
  | 'identity.unlinked'
  | 'account.reclaimed'
  | 'session.ended'
  | 'api-key.created'
  | 'api-key.updated'
  | 'api-key.revoked'
  | 'device.approved'
  | 'device.denied'
  | 'organization.updated'
  | 'ownership.transferred'
  | 'member.joined'
  | 'member.left'
  | 'member.removed'
  | 'member.role-changed'
  | 'invite.sent'
  | 'invite.revoked'
  | 'file.purged'
  | 'project.shared'
  | 'project.unshared'
  | 'project.invited'
  | 'project.uninvited'
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.rotated'
  | 'webhook.deleted'
  | 'webhook.disabled'
  | 'project.deleted'
  | 'project.undeleted'
  | 'project.visibility-changed'
  | 'project.workspace-added'
  | 'project.workspace-removed'
  | 'project.moved'
  | 'workspace.created'
  | 'workspace.renamed'
  | 'workspace.deleted'
  | 'workspace.member-added'
  | 'workspace.member-removed'

interface Act {
  action: Action
  /** Who did it and in which organization; taken from the caller where there is one. */
  by: Pick<Caller, 'orgId' | 'userId'> & { via: Caller['via'] | 'system' }
  target?: string
  details?: Record<string, string>
  /** Where word of it goes, if not to the address of when the mail is written. */
  noticeTo?: string
}

/** Writes down an act of consequence, on the transaction of the act itself. */
export async function recordAct(ctx: Pick<PublicContext, 'sql' | 'now' | 'origin'>, act: Act): Promise<void> {
  const { orgId, userId, via } = act.by
  const { action, target = null, details = {}, noticeTo } = act
  const { address } = ctx.origin
  const id = newId()
  await ctx.sql`
    insert into audit (org_id, id, user_id, via, action, target, address, details, created_at)
    values (${orgId}, ${id}, ${userId}, ${via}, ${action}, ${target}, ${address}, ${ctx.sql.json(details)},
      ${ctx.now()})`
  if (!isNoticed(action)) return
  const notice = { id, userId, action, address, at: ctx.now().toISOString(), to: noticeTo }
  await ctx.sql`select ${addJob(ctx.sql, waysInChanged, notice)}`
}

/** The same for what somebody did without being signed in, as with a mailed link; written to their home. */
export async function recordActOf(
  ctx: Pick<PublicContext, 'sql' | 'now' | 'origin'>,
  userId: string,
  act: Pick<Act, 'action' | 'details'>,
): Promise<void> {
  const home = await findHome(ctx.sql, userId)
  if (home) await recordAct(ctx, { ...act, by: { orgId: home.orgId, userId, via: 'system' } })
}
