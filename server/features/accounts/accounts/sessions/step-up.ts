import type { accounts } from '../../../../../contract/accounts/accounts.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context } from '../../../../context.ts'
import { resetBucket } from '../../../../database/limits.ts'
import { forbidden } from '../../../../errors.ts'
import { verifyPassword } from '../../../../security/passwords.ts'
import { consumeAttempt } from '../attempts.ts'
import { verifyPasskeyStepUp } from '../passkeys/passkeys.ts'
import * as queries from '../queries.ts'
import { consumeTotpCode } from '../totp/totp.ts'
import { stepUpExpiry } from './sessions.ts'

const ATTEMPTS = { name: 'step-up', capacity: 5, perSeconds: 300 }
/** Limits guesses with a stolen session: the first limit alone allows 1,440 attempts per day. */
const ATTEMPTS_PER_DAY = { name: 'step-up-day', capacity: 50, perSeconds: 86_400 }

type Proof = InputOf<typeof accounts.stepUp>

/** The caller must authenticate again. */
export async function stepUp(ctx: Context<'vault'>, proof: Proof) {
  const { userId, credentialId } = ctx.caller
  await consumeAttempt(ctx, ATTEMPTS, userId)
  await consumeAttempt(ctx, ATTEMPTS_PER_DAY, userId)
  if (!(await VERIFIERS[proof.method](ctx, proof as never))) {
    throw forbidden('The proof does not match: try again', { reason: 'wrong_proof' })
  }
  const until = stepUpExpiry(ctx.now())
  await ctx.transaction(async (inside) => {
    await resetBucket(inside.sql, ATTEMPTS, userId)
    await resetBucket(inside.sql, ATTEMPTS_PER_DAY, userId)
    await queries.updateStepUp(inside.sql, credentialId, until)
    await recordAudit(inside, { action: 'step-up', by: ctx.caller, details: { method: proof.method } })
  })
  return { until: until.toISOString() }
}

type Verifier<M extends Proof['method']> = (
  ctx: Context<'vault'>,
  proof: Extract<Proof, { method: M }>,
) => Promise<boolean>

const VERIFIERS: { [M in Proof['method']]: Verifier<M> } = {
  password: async (ctx, { password }) =>
    verifyPassword(await queries.findPasswordHash(ctx.sql, ctx.caller.userId), password, {
      lane: 'known',
      key: ctx.caller.userId,
    }),
  totp: (ctx, { code }) => consumeTotpCode(ctx, ctx.caller.userId, code),
  passkey: verifyPasskeyStepUp,
}
