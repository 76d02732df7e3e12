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

/** Guessing at one account is stopped soon from one address, and later from all of them together. */
const FROM_ONE_ADDRESS = { name: 'sign-in-account', capacity: 5, perSeconds: 300 }
const FROM_ANYWHERE = { name: 'sign-in-anywhere', capacity: 50, perSeconds: 3600 }

/** A known and an unknown address are answered alike, in words, status and time. */
export async function signInByPassword(
  ctx: PublicContext,
  { email, password }: InputOf<typeof accounts.signIn>,
) {
  const account = sha256(email).toString('base64url')
  const accountFromHere = `${account} ${ctx.origin.ip}`
  await consumeAttempt(ctx, FROM_ONE_ADDRESS, accountFromHere)
  await consumeAttempt(ctx, FROM_ANYWHERE, account)

  const found = await queries.findPassword(ctx.sql, email)
  const matches = await verifyPassword(found?.passwordHash ?? null, password)
  if (!found?.passwordHash || !matches) throw unauthorized('The email address or the password is wrong')
  await resetBucket(ctx.sql, FROM_ONE_ADDRESS, accountFromHere)
  return completeSignIn(ctx, found.userId, 'password', { passwordHash: found.passwordHash })
}
