import type { PublicContext } from '../../../context.ts'
import { resetBucket, returnToken } from '../../../database/limits.ts'
import { unauthorized } from '../../../errors.ts'
import { networkOf } from '../../../security/client-network.ts'
import { verifyPassword } from '../../../security/passwords.ts'
import { consumeAttempt } from './attempt-limit.ts'

interface ProtectedLink {
  id: string
  passwordHash: string | null
}

/** `limitName` is the name of the rate limit of attempts, `noun` that of the link in errors. */
interface LinkKind {
  limitName: string
  noun: string
}

/** Checks the password of a link, and limits the attempts of each client and of all clients together. */
export async function checkLinkPassword(
  ctx: PublicContext,
  { limitName, noun }: LinkKind,
  { id, passwordHash }: ProtectedLink,
  password: string | undefined,
): Promise<void> {
  if (password === undefined)
    throw unauthorized(`This ${noun} requires a password`, { reason: 'password_required' })
  const ofClient = { name: limitName, capacity: 5, perSeconds: 300 }
  // Many IP addresses cannot exceed it.
  const ofAll = { name: `${limitName}-all`, capacity: 100, perSeconds: 3600 }
  const network = networkOf(ctx.origin.ip)
  const client = `${id} ${network}`
  await consumeAttempt(ctx, ofClient, client)
  await consumeAttempt(ctx, ofAll, id)
  if (!(await verifyPassword(passwordHash, password, network)))
    throw unauthorized('Wrong password', { reason: 'wrong_password' })
  await resetBucket(ctx.sql, ofClient, client)
  await returnToken(ctx.sql, ofAll, id)
}
