import type { PublicContext } from '../../../context.ts'
import { publishIn } from '../../../events/publish.ts'
import { revokeAllTokens } from '../../../one-time-tokens/one-time-tokens.ts'
import { recordUserAudit } from '../record-user-audit.ts'
import { deleteCredentials, updateClaimed } from './claim-email-queries.ts'

/**
 * Somebody has shown that they read the mail of this account. If nobody had before, whoever made the account may have
 * been somebody else, waiting for the rightful person to fill it: so nothing that was set until now lets anybody in.
 * Run it inside the transaction that takes the proof, before anything new is added and before a session begins.
 */
export async function claimByVerifiedEmail(inside: PublicContext, userId: string): Promise<void> {
  const now = inside.now()
  if (!(await updateClaimed(inside.sql, userId, now))) return
  for (const { orgId, id } of await deleteCredentials(inside.sql, userId, now)) {
    await publishIn(inside.sql, orgId, now, { type: 'key.revoked', data: { keyId: id, by: userId } })
  }
  await revokeAllTokens(inside, userId)
  await recordUserAudit(inside, userId, { action: 'account.reclaimed' })
}
