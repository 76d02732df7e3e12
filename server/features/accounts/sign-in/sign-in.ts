import type { accounts } from '../../../../contract/accounts/accounts.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { PublicContext } from '../../../context.ts'
import { resetBucket } from '../../../database/limits.ts'
import { unauthorized } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import { verifyPassword } from '../../../security/passwords.ts'
import * as queries from '../queries.ts'
import { consumeAttempt } from './attempt-limit.ts'
import { completeSignIn } from './complete-sign-in.ts'

/** Attempts at one account: a low limit per IP address, and a higher one for all IP addresses together. */
const PER_IP = { name: 'sign-in-account', capacity: 5, perSeconds: 300 }
const PER_ACCOUNT = { name: 'sign-in-anywhere', capacity: 50, perSeconds: 3600 }

/** Known and unknown email addresses get the same message, status and response time. */
export async function signInByPassword(
  ctx: PublicContext,
  { email, password }: InputOf<typeof accounts.signIn>,
) {
  const account = await authenticate(ctx, email, password)
  if (!account) throw unauthorized('The email address or the password is wrong')
  return completeSignIn(ctx, account.userId, 'password', { passwordHash: account.passwordHash })
}

/** The account that the password belongs to, null if it is wrong. Unverified accounts may share an email address. */
export async function authenticate(
  ctx: Pick<PublicContext, 'sql' | 'now' | 'origin'>,
  email: string,
  password: string,
): Promise<queries.AccountPassword | null> {
  const account = sha256(email).toString('base64url')
  const accountAndIp = `${account} ${ctx.origin.ip}`
  await consumeAttempt(ctx, PER_IP, accountAndIp)
  await consumeAttempt(ctx, PER_ACCOUNT, account)

  const candidates = await queries.listPasswords(ctx.sql, email)
  if (candidates.length === 0) await verifyPassword(null, password)
  for (const candidate of candidates) {
    if (!(await verifyPassword(candidate.passwordHash, password))) continue
    await resetBucket(ctx.sql, PER_IP, accountAndIp)
    return candidate
  }
  return null
}
