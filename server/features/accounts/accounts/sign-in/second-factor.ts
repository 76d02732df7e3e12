import type { signIn } from '../../../../../contract/accounts/sign-in.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { PublicContext } from '../../../../context.ts'
import { resetBucket } from '../../../../database/limits.ts'
import { unauthorized } from '../../../../errors.ts'
import { consumeUserToken, peekToken } from '../../../../one-time-tokens/one-time-tokens.ts'
import { consumeAttempt } from '../attempts.ts'
import { findRecognizedDevice } from '../sessions/recognized-device.ts'
import { consumeRecoveryCode, consumeTotpCode } from '../totp/totp.ts'
import { createSession, type PendingSignIn } from './complete-sign-in.ts'

const PER_FIVE_MINUTES = { name: 'second-factor-account', capacity: 5, perSeconds: 300 }
/** With only the five-minute limit, an attacker who has the password would guess a six-digit code within a year. */
const PER_DAY = { name: 'second-factor-day', capacity: 50, perSeconds: 86_400 }

/** Completes a pending sign-in. A wrong code leaves it pending. */
export async function verifySecondFactor(
  ctx: PublicContext<'suspensions' | 'vault'>,
  { ticket: token, method, code }: InputOf<typeof signIn.secondFactor>,
) {
  const { userId } = requirePendingSignIn(await peekToken<PendingSignIn>(ctx, 'second-factor', token))
  const device = findRecognizedDevice(ctx, userId)
  const limitKey = device ? `${userId} ${device}` : userId
  await consumeAttempt(ctx, PER_FIVE_MINUTES, limitKey)
  await consumeAttempt(ctx, PER_DAY, limitKey)
  return ctx.transaction(async (inside) => {
    const { factor } = requirePendingSignIn(
      await consumeUserToken<PendingSignIn>(inside, 'second-factor', token),
    )
    if (!(await VERIFIERS[method](inside, userId, code.replaceAll(' ', '')))) {
      throw unauthorized('The code is wrong or was already used', { reason: 'wrong_code' })
    }
    await resetBucket(inside.sql, PER_FIVE_MINUTES, limitKey)
    await resetBucket(inside.sql, PER_DAY, limitKey)
    return createSession(inside, userId, factor, { secondFactor: method })
  })
}

const VERIFIERS = { totp: consumeTotpCode, recovery_code: consumeRecoveryCode }

type StoredSignIn = Awaited<ReturnType<typeof peekToken<PendingSignIn>>>

function requirePendingSignIn(stored: StoredSignIn) {
  if (!stored?.userId) {
    throw unauthorized('This sign-in has expired: start again', { reason: 'ticket_spent' })
  }
  return { userId: stored.userId, factor: stored.data.factor }
}
