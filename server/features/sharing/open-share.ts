import type { InputOf } from '../../../contract/endpoint.ts'
import type { sharing } from '../../../contract/projects/sharing.ts'
import type { PublicContext } from '../../context.ts'
import { resetBucket, returnToken } from '../../database/limits.ts'
import { notFound, raise, unauthorized } from '../../errors.ts'
import { networkOf } from '../../security/client-network.ts'
import { sha256 } from '../../security/digest.ts'
import { verifyPassword } from '../../security/passwords.ts'
import { consumeAttempt } from '../accounts/accounts.ts'
import { createGuestToken } from './guest-tokens.ts'
import { findShareByToken, type OpenShareRow } from './share-queries.ts'

const ATTEMPTS = { name: 'share-password', capacity: 5, perSeconds: 300 }
/** For all clients together: many IP addresses cannot exceed it. */
const ATTEMPTS_OF_ALL = { name: 'share-password-all', capacity: 100, perSeconds: 3600 }

/** Unknown, expired and revoked links get the same error. */
export async function openShare(ctx: PublicContext, { token, password }: InputOf<typeof sharing.open>) {
  const now = ctx.now()
  const share = (await findShareByToken(ctx.sql, sha256(token), now)) ?? raise(notFound('Share link'))
  if (share.passwordHash !== null) await checkPassword(ctx, share, password)
  ctx.suspensions.requireOpenToGuests(share.orgId)
  const { token: ticket, until } = createGuestToken(ctx.vault, share, now)
  const { projectId: id, name, emoji, description, access } = share
  return { ticket, expiresAt: until.toISOString(), access, project: { id, name, emoji, description } }
}

async function checkPassword(
  ctx: PublicContext,
  { id, passwordHash }: OpenShareRow,
  password: string | undefined,
) {
  if (password === undefined) {
    throw unauthorized('This share link requires a password', { reason: 'password_required' })
  }
  const client = `${id} ${networkOf(ctx.origin.ip)}`
  await consumeAttempt(ctx, ATTEMPTS, client)
  await consumeAttempt(ctx, ATTEMPTS_OF_ALL, id)
  if (!(await verifyPassword(passwordHash, password, networkOf(ctx.origin.ip)))) {
    throw unauthorized('Wrong password', { reason: 'wrong_password' })
  }
  await resetBucket(ctx.sql, ATTEMPTS, client)
  await returnToken(ctx.sql, ATTEMPTS_OF_ALL, id)
}
