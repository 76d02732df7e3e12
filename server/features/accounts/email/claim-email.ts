import { recordActOf } from '../../../audit/record.ts'
import type { PublicContext } from '../../../context.ts'
import { publishIn } from '../../../events/publish.ts'
import { deleteWaysIn, updateReclaimed } from './claim-email-queries.ts'
import { revokeEveryTicket } from './one-time-tokens.ts'

/**
 * Somebody has shown that they read the mail of this account. If nobody had before, whoever made the account may have
 * been somebody else, waiting for the rightful person to fill it: so nothing that was set until now lets anybody in.
 * Run it inside the transaction that takes the proof, before anything new is added and before a session begins.
 */
export async function proveAddress(inside: PublicContext, userId: string): Promise<void> {
  const now = inside.now()
  if (!(await updateReclaimed(inside.sql, userId, now))) return
  for (const { orgId, id } of await deleteWaysIn(inside.sql, userId, now)) {
    await publishIn(inside.sql, orgId, now, { type: 'key.revoked', data: { keyId: id, by: userId } })
  }
  await revokeEveryTicket(inside, userId)
  await recordActOf(inside, userId, { action: 'account.reclaimed' })
}
