import type { InputOf } from '../../../../contract/endpoint.ts'
import type { sharing } from '../../../../contract/projects/sharing.ts'
import type { PublicContext } from '../../../context.ts'
import { notFound, raise } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import { checkLinkPassword } from '../../accounts/accounts/accounts.ts'
import { createGuestToken } from './guest-tokens.ts'
import { findShareByToken } from './share-queries.ts'

const PASSWORD = { limitName: 'share-password', noun: 'share link' }

/** Unknown, expired and revoked links get the same error. */
export async function openShare(ctx: PublicContext, { token, password }: InputOf<typeof sharing.open>) {
  const now = ctx.now()
  const share = (await findShareByToken(ctx.sql, sha256(token), now)) ?? raise(notFound('Share link'))
  if (share.passwordHash !== null) await checkLinkPassword(ctx, PASSWORD, share, password)
  ctx.suspensions.requireOpenToGuests(share.orgId)
  const { token: ticket, until } = createGuestToken(ctx.vault, share, now)
  const { projectId: id, name, emoji, description, access } = share
  return { ticket, expiresAt: until.toISOString(), access, project: { id, name, emoji, description } }
}
