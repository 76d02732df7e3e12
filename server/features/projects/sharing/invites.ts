import type { InputOf } from '../../../../contract/endpoint.ts'
import type { sharing } from '../../../../contract/projects/sharing.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { badField, conflict, forbidden, notFound, raise } from '../../../errors.ts'
import { queueMail } from '../../../mail/mail.ts'
import { consumeInviteMail } from '../../../mail/mail-limits.ts'
import { speak } from '../../../mail/words.ts'
import { sha256 } from '../../../security/digest.ts'
import { newId } from '../../../security/ids.ts'
import { randomToken } from '../../../security/random.ts'
import { findInvitedLanguage } from '../../accounts/accounts/accounts.ts'
import { auditName, lockProject, type ProjectRow } from '../projects/projects.ts'
import * as queries from './invite-queries.ts'

const MAILED_INVITE_DAYS = 7
const DAY_MS = 86_400_000

export async function invite(ctx: Context<'mail' | 'quotas'>, input: InputOf<typeof sharing.invite>) {
  const { role, email = null } = input
  requireFuture(ctx, input.expiresAt)
  const token = randomToken(32)
  const isMailed = email !== null && ctx.mail.canSend
  return ctx.transaction(async (inside) => {
    const project = await lockProjectForInvites(inside, input.projectId)
    if (project.visibility === 'private') {
      throw conflict('This project is private: make it visible to the team before you invite people')
    }
    if (email) await consumeInviteMail(inside, email)
    const row = await queries.insertInvite(inside.sql, project.orgId, project.id, {
      id: newId(),
      tokenHash: sha256(token),
      isMailed,
      role,
      email,
      expiresAt: input.expiresAt === undefined ? email && inDays(ctx, MAILED_INVITE_DAYS) : input.expiresAt,
      maxUses: email ? 1 : (input.maxUses ?? null),
      createdBy: ctx.caller.userId,
      now: ctx.now(),
    })
    await ctx.quotas.requireWithin(inside.sql, project.orgId, 'invites', ctx.now())
    if (email) await mailInvite(inside, project, { ...row, email, token })
    await recordAudit(inside, {
      action: 'project.invited',
      by: ctx.caller,
      target: project.id,
      details: { ...auditName(project), role, ...(email && { email }) },
    })
    // Opening a mailed link proves the address, so the response must not contain it.
    return present(row, isMailed ? null : `${ctx.origin.baseUrl}/join#${token}`)
  })
}

export async function revokeInvite(ctx: Context, input: InputOf<typeof sharing.revokeInvite>) {
  return ctx.transaction(async (inside) => {
    const project = await lockProjectForInvites(inside, input.projectId)
    const { orgId, id } = project
    const deleted = await queries.deleteInvite(inside.sql, orgId, id, input.inviteId)
    const { email } = deleted ?? raise(notFound('Invitation'))
    await recordAudit(inside, {
      action: 'project.uninvited',
      by: ctx.caller,
      target: id,
      details: { ...auditName(project), ...(email && { email }) },
    })
    return { revoked: true as const }
  })
}

async function lockProjectForInvites(ctx: Context, ref: string): Promise<ProjectRow> {
  const project = await lockProject(ctx, ref)
  if (await queries.canInvite(ctx.sql, project.orgId, project.id, ctx.caller.userId)) return project
  throw forbidden('Only organization admins or admins in the project’s workspace can invite people', {
    reason: 'role_required',
    required: 'admin',
  })
}

async function mailInvite(
  ctx: Context<'mail'>,
  { orgId, name }: ProjectRow,
  { id, email, token, inviterName }: { id: string; email: string; token: string; inviterName: string },
): Promise<void> {
  const { t, textWithNames } = speak(
    await findInvitedLanguage(ctx.sql, { email, inviterId: ctx.caller.userId }),
  )
  const subject = textWithNames`${inviterName} invited you to join “${name}”`.replace(/\s+/g, ' ')
  const text = [
    textWithNames`${inviterName} invited you to join “${name}” on Atrium.`,
    t`Accept the invitation: ${ctx.mail.linkTo(`/join#${token}`)}`,
    t`The link is only for you. If you weren’t expecting this, ignore this email.`,
  ].join('\n\n')
  await queueMail(ctx.sql, orgId, { id: `project-invite-${id}`, to: email, subject, text }, ctx.now())
}

const inDays = (ctx: Context, days: number) => new Date(ctx.now().getTime() + days * DAY_MS).toISOString()

export const present = (
  { id, role, email, expiresAt, maxUses, uses, createdAt }: queries.InviteRow,
  url: string | null = null,
) => ({ id, url, role, email, expiresAt, maxUses, uses, createdAt })

export function requireFuture(ctx: Context, expiresAt: string | null | undefined): void {
  if (expiresAt && new Date(expiresAt) <= ctx.now()) throw badField('body.expiresAt', 'must be in the future')
}
