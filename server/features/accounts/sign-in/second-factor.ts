import type { signIn } from '../../../../contract/accounts/sign-in.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { PublicContext } from '../../../context.ts'
import { resetBucket } from '../../../database/limits.ts'
import { unauthorized } from '../../../errors.ts'
import { consumeUserToken, peekToken } from '../../../one-time-tokens/one-time-tokens.ts'
import { consumeRecoveryCode } from '../totp/recovery-codes.ts'
import { consumeTotpCode } from '../totp/totp.ts'
import { consumeAttempt } from './attempt-limit.ts'
import { createSession, type PendingSignIn } from './complete-sign-in.ts'

/** Six digits are few: at five tries in five minutes alone, a patient thief of a password would get in within a year. */
const AT_ONCE = { name: 'second-factor-account', capacity: 5, perSeconds: 300 }
const IN_A_DAY = { name: 'second-factor-day', capacity: 50, perSeconds: 86_400 }

/** The way in for whoever was told by `arrive` to bring more. Wrong tries leave the ticket as it is. */
export async function verifySecondFactor(
  ctx: PublicContext,
  { ticket, method, code }: InputOf<typeof signIn.secondFactor>,
) {
  const { userId } = requirePendingSignIn(await peekToken<PendingSignIn>(ctx, 'second-factor', ticket))
  await consumeAttempt(ctx, AT_ONCE, userId)
  await consumeAttempt(ctx, IN_A_DAY, userId)
  return ctx.transaction(async (inside) => {
    const { factor } = requirePendingSignIn(
      await consumeUserToken<PendingSignIn>(inside, 'second-factor', ticket),
    )
    if (!(await CHECKS[method](inside, userId, code.replaceAll(' ', '')))) {
      throw unauthorized('That code is not right, or was used before', { reason: 'wrong_code' })
    }
    await resetBucket(inside.sql, AT_ONCE, userId)
    await resetBucket(inside.sql, IN_A_DAY, userId)
    return createSession(inside, userId, factor, { secondFactor: method })
  })
}

const CHECKS = { totp: consumeTotpCode, recovery_code: consumeRecoveryCode }

type Found = Awaited<ReturnType<typeof peekToken<PendingSignIn>>>

function requirePendingSignIn(ticket: Found) {
  if (!ticket?.userId) {
    throw unauthorized('This sign-in took too long: begin again', { reason: 'ticket_spent' })
  }
  return { userId: ticket.userId, factor: ticket.data.factor }
}
