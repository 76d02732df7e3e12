import type { security } from '../../../../../contract/accounts/security.ts'
import type { signIn } from '../../../../../contract/accounts/sign-in.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { type AuditEntry, recordAudit } from '../../../../audit/record.ts'
import type { Config } from '../../../../config/config.ts'
import type { Context, PublicContext } from '../../../../context.ts'
import { raise } from '../../../../errors.ts'
import { issueToken, peekToken, revokeTokens } from '../../../../one-time-tokens/one-time-tokens.ts'
import { clientNetwork } from '../../../../security/client-network.ts'
import { newId } from '../../../../security/ids.ts'
import { hashPassword } from '../../../../security/passwords.ts'
import { consumeMailedLink, linkExpired } from '../email/mailed-link.ts'
import { sendPasswordReset } from '../jobs.ts'
import { findDefaultWorkspace } from '../queries.ts'
import { endOtherAccess } from '../sessions/end-access.ts'
import { updatePassword } from '../sessions/security-queries.ts'
import { completeSignIn } from './complete-sign-in.ts'

export async function changePassword(
  ctx: Context<'hooks'>,
  { password }: InputOf<typeof security.changePassword>,
) {
  const { userId, credentialId } = ctx.caller
  const passwordHash = await hashPassword(password, { lane: 'known', key: userId })
  await ctx.transaction(async (inside) => {
    await replacePassword(inside, userId, passwordHash, credentialId)
    await recordAudit(inside, { action: 'password.changed', by: ctx.caller })
  })
  return { changed: true as const }
}

async function replacePassword(
  inside: Pick<PublicContext<'hooks'>, 'sql' | 'now' | 'hooks'>,
  userId: string,
  passwordHash: string,
  exceptSessionId: string | null,
): Promise<void> {
  await updatePassword(inside.sql, userId, passwordHash, inside.now())
  await endOtherAccess(inside, userId, exceptSessionId)
}

/**
 * Does the same work for every address: the job checks later whether it has an account, so the response reveals
 * nothing.
 */
export async function requestPasswordReset(
  ctx: PublicContext<'mail'>,
  { email }: InputOf<typeof signIn.requestPasswordReset>,
) {
  await ctx.enqueue(sendPasswordReset, { id: newId(), email, language: ctx.origin.language })
  return { sent: ctx.mail.canSend }
}

/** A link doesn't open the step-up window, and a second factor is still required. */
export const resetPassword =
  (signup: Config['signup']) =>
  async (
    ctx: PublicContext<'hooks' | 'suspensions' | 'vault'>,
    { token, password }: InputOf<typeof signIn.resetPassword>,
  ) => {
    // Hashing is expensive, so an invalid link is refused before it.
    const link = (await peekToken<AdminResetLink>(ctx, 'password-reset', token)) ?? raise(linkExpired())
    const passwordHash = await hashPassword(password, { lane: 'known', key: clientNetwork(ctx.origin.ip) })
    const userId = await ctx.transaction(async (inside) => {
      const account = await consumeMailedLink(inside, 'password-reset', token, { signup, passwordHash })
      if (account.isNew) return account.userId
      await replacePassword(inside, account.userId, passwordHash, null)
      await recordUserAudit(inside, account.userId, {
        action: 'password.changed',
        details: link.data.issuedBy
          ? { proof: 'link from an admin', issuedBy: link.data.issuedBy }
          : { proof: 'mailed link' },
      })
      return account.userId
    })
    return completeSignIn(ctx, userId, 'password-reset')
  }

const HOURS_VALID = 24

/** For links an admin created. */
interface AdminResetLink {
  issuedBy?: string
}

/** For an admin to pass on. Replaces the user's earlier links. */
export async function issueResetLink(
  inside: Pick<PublicContext, 'sql' | 'now' | 'origin'>,
  userId: string,
  issuedBy: string,
) {
  const data: AdminResetLink = { issuedBy }
  await revokeTokens(inside, 'password-reset', userId)
  const token = await issueToken(inside, 'password-reset', { seconds: HOURS_VALID * 3600, userId, data })
  return {
    // The secret is in the fragment, which browsers don't send and servers don't log.
    url: `${inside.origin.baseUrl}/reset-password#${token}`,
    expiresAt: new Date(inside.now().getTime() + HOURS_VALID * 3_600_000).toISOString(),
  }
}

/** For users without a session, such as through an emailed link. Recorded in the first organization they joined. */
async function recordUserAudit(
  ctx: Pick<PublicContext, 'sql' | 'now' | 'origin'>,
  userId: string,
  entry: Pick<AuditEntry, 'action' | 'details'>,
): Promise<void> {
  const workspace = await findDefaultWorkspace(ctx.sql, userId)
  if (workspace) await recordAudit(ctx, { ...entry, by: { orgId: workspace.orgId, userId, via: 'system' } })
}
