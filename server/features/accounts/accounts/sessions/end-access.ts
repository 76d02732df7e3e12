import type { PublicContext } from '../../../../context.ts'
import { revokeAllTokens } from '../../../../one-time-tokens/one-time-tokens.ts'
import { signInReplaced } from '../hooks.ts'
import { deleteOtherSessions } from './security-queries.ts'

/**
 * Ends everything a replaced password or email address had opened: other sessions, connected apps, pending sign-ins and
 * mailed links. `exceptSessionId` is the session that replaced it, or null to end them all.
 */
export async function endOtherAccess(
  inside: Pick<PublicContext<'hooks'>, 'hooks' | 'now' | 'sql'>,
  userId: string,
  exceptSessionId: string | null,
): Promise<void> {
  await deleteOtherSessions(inside.sql, userId, exceptSessionId)
  for (const onReplaced of inside.hooks.all(signInReplaced)) await onReplaced(inside, { userId })
  await revokeAllTokens(inside, userId)
}
