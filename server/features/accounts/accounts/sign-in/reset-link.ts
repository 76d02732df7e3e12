import type { PublicContext } from '../../../../context.ts'
import { issueToken, revokeTokens } from '../../../../one-time-tokens/one-time-tokens.ts'

const HOURS_VALID = 24

/** Stored with a link that an admin created. */
export interface AdminResetLink {
  issuedBy?: string
}

/** A link that sets a new password, for an admin to pass on. It replaces earlier links of the user. */
export async function issueResetLink(
  inside: Pick<PublicContext, 'sql' | 'now' | 'origin'>,
  userId: string,
  issuedBy: string,
) {
  const data: AdminResetLink = { issuedBy }
  await revokeTokens(inside, 'password-reset', userId)
  const token = await issueToken(inside, 'password-reset', { seconds: HOURS_VALID * 3600, userId, data })
  return {
    // The secret is in the fragment, which browsers do not send and servers do not log.
    url: `${inside.origin.baseUrl}/reset-password#${token}`,
    expiresAt: new Date(inside.now().getTime() + HOURS_VALID * 3_600_000).toISOString(),
  }
}
