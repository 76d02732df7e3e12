import type { InputOf } from '../../../../contract/endpoint.ts'
import type { organization } from '../../../../contract/organizations/organization.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import { conflict, notFound, raise } from '../../../errors.ts'
import { queueMail } from '../../../mail/mail.ts'
import { consumeInviteMail } from '../../../mail/mail-limits.ts'
import { speak } from '../../../mail/words.ts'
import { sha256 } from '../../../security/digest.ts'
import { newId } from '../../../security/ids.ts'
import { randomToken } from '../../../security/random.ts'
import { findInvitedLanguage } from '../../accounts/accounts/accounts.ts'
import { lockOrganization } from '../membership/membership.ts'
import * as queries from './invite-queries.ts'

const OPEN_DAYS = 7
const DAY_MS = 86_400_000

export async function listInvites(
  ctx: Context<'vault'>,
  { limit, cursor }: InputOf<typeof organization.invites>,
) {
  const { orgId } = ctx.caller
  const list = `invites ${orgId}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await queries.listInvites(ctx.sql, orgId, ctx.now(), before, limit + 1)
  return cursorPage(ctx.vault, list, limit, rows, (row) => present(row))
}

export async function createInvite(
  ctx: Context<'mail' | 'quotas'>,
  { email, role }: InputOf<typeof organization.invite>,
) {
  const { orgId, userId } = ctx.caller
  const token = randomToken(32)
  return ctx.transaction(async (inside) => {
    await lockOrganization(inside, 'admin')
    // A mailed link verifies the address, so an unverified member can be invited again.
    if (await queries.isMember(inside.sql, orgId, email, ctx.mail.canSend || null))
      throw conflict(`${email} is already a member`)
    await consumeInviteMail(inside, email)
    const now = ctx.now()
    const row = await queries.insertInvite(inside.sql, orgId, {
      id: newId(),
      email,
      role,
      tokenHash: sha256(token),
      isMailed: ctx.mail.canSend,
      invitedBy: userId,
      now,
      expiresAt: new Date(now.getTime() + OPEN_DAYS * DAY_MS),
    })
    await ctx.quotas.requireWithin(inside.sql, orgId, 'invites', now)
    await mailInvite(inside, row, token)
    await recordAudit(inside, {
      action: 'invite.sent',
      by: ctx.caller,
      target: row.id,
      details: { email, role },
    })
    // Opening a mailed link proves the address, so a mailed link isn't shown.
    return present(row, ctx.mail.canSend ? null : `${ctx.origin.baseUrl}/invite#${token}`)
  })
}

/** Browsers don't send the fragment, and servers don't log it. */
async function mailInvite(ctx: Context<'mail'>, row: queries.InviteRow, token: string): Promise<void> {
  const { t, textWithNames } = speak(await findInvitedLanguage(ctx.sql, row))
  const subject = textWithNames`${row.inviterName} invited you to join “${row.orgName}”`.replace(/\s+/g, ' ')
  const text = [
    textWithNames`${row.inviterName} invited you to join “${row.orgName}” on Atrium.`,
    t`Accept the invitation: ${ctx.mail.linkTo(`/invite#${token}`)}`,
    t`The link works once and expires in ${OPEN_DAYS} days. If you weren’t expecting this, ignore this email.`,
  ].join('\n\n')
  await queueMail(ctx.sql, row.orgId, { id: `invite-${row.id}`, to: row.email, subject, text }, ctx.now())
}

export async function revokeInvite(ctx: Context, input: InputOf<typeof organization.revokeInvite>) {
  return ctx.transaction(async (inside) => {
    await lockOrganization(inside, 'admin')
    const deleted = await queries.deleteInvite(inside.sql, ctx.caller.orgId, input.id, ctx.now())
    const { id, email } = deleted ?? raise(notFound('Invitation'))
    await recordAudit(inside, { action: 'invite.revoked', by: ctx.caller, target: id, details: { email } })
    return { revoked: true as const }
  })
}

const present = (
  { id, email, role, inviterId, inviterName, createdAt, expiresAt }: queries.InviteRow,
  url: string | null = null,
) => ({
  id,
  url,
  email,
  role,
  invitedBy: { id: inviterId, name: inviterName },
  createdAt,
  expiresAt,
})
