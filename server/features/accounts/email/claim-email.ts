import type { PublicContext } from '../../../context.ts'
import { publishIn } from '../../../events/publish.ts'
import { revokeAllTokens } from '../../../one-time-tokens/one-time-tokens.ts'
import { recordUserAudit } from '../record-user-audit.ts'
import { deleteCredentials, updateClaimed } from './claim-email-queries.ts'

/**
 * Call when a user has proved that they receive the mail of this account. If the address was unverified until now, an
 * attacker may have created the account to wait for its rightful owner, so every earlier credential is removed. Run it
 * in the transaction that consumes the proof, before new credentials are added and before a session is created.
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
