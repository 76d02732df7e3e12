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
  const account = sha256(email).toString('base64url')
  const accountAndIp = `${account} ${ctx.origin.ip}`
  await consumeAttempt(ctx, PER_IP, accountAndIp)
  await consumeAttempt(ctx, PER_ACCOUNT, account)

  const found = await queries.findPassword(ctx.sql, email)
  const matches = await verifyPassword(found?.passwordHash ?? null, password)
  if (!found?.passwordHash || !matches) throw unauthorized('The email address or the password is wrong')
  await resetBucket(ctx.sql, PER_IP, accountAndIp)
  return completeSignIn(ctx, found.userId, 'password', { passwordHash: found.passwordHash })
}
