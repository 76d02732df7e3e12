import type { security } from '../../../../../contract/accounts/security.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context, PublicContext } from '../../../../context.ts'
import { revokeAllTokens } from '../../../../one-time-tokens/one-time-tokens.ts'
import { hashPassword } from '../../../../security/passwords.ts'
import { revokeGrantsOf } from '../../../mcp/connected-apps/connected-apps.ts'
import { deleteOtherSessions, updatePassword } from '../sessions/security-queries.ts'

export async function changePassword(ctx: Context, { password }: InputOf<typeof security.changePassword>) {
  const { userId, credentialId } = ctx.caller
  const passwordHash = await hashPassword(password, { lane: 'known', key: userId })
  await ctx.transaction(async (inside) => {
    await replacePassword(inside, userId, passwordHash, credentialId)
    await recordAudit(inside, { action: 'password.changed', by: ctx.caller })
  })
  return { changed: true as const }
}

/** Also ends the other sessions, connected apps, pending sign-ins and reset links of the user. */
export async function replacePassword(
  inside: Pick<PublicContext, 'sql' | 'now'>,
  userId: string,
  passwordHash: string,
  exceptSessionId: string | null,
): Promise<void> {
  await updatePassword(inside.sql, userId, passwordHash, inside.now())
  await deleteOtherSessions(inside.sql, userId, exceptSessionId)
  await revokeGrantsOf(inside.sql, userId, inside.now())
  await revokeAllTokens(inside, userId)
}
