import type { accounts } from '../../../contract/accounts.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import type { Context, PublicContext } from '../../context.ts'
import { refill, takeToken } from '../../database/limits.ts'
import { ApiError, forbidden, unauthorized } from '../../errors.ts'
import { sha256 } from '../../security/digest.ts'
import { verifyPassword } from '../../security/passwords.ts'
import { recordAct } from './audit.ts'
import * as queries from './queries.ts'
import { beginSession, stepUpExpiry } from './sessions.ts'

/** Guessing at one account is stopped soon from one address, and later from all of them together. */
const FROM_ONE_ADDRESS = { name: 'sign-in-account', capacity: 5, perSeconds: 300 }
const FROM_ANYWHERE = { name: 'sign-in-anywhere', capacity: 50, perSeconds: 3600 }
const STEP_UP_TRIES = { name: 'step-up', capacity: 5, perSeconds: 300 }

/** A known and an unknown address are answered alike, in words, status and time. */
export async function signIn(ctx: PublicContext, { email, password }: InputOf<typeof accounts.signIn>) {
  const account = sha256(email).toString('base64url')
  const accountFromHere = `${account} ${ctx.origin.address}`
  await countTry(ctx, FROM_ONE_ADDRESS, accountFromHere)
  await countTry(ctx, FROM_ANYWHERE, account)

  const found = await queries.findPassword(ctx.sql, email)
  const matches = await verifyPassword(found?.passwordHash ?? null, password)
  const home = found && matches ? await queries.findHome(ctx.sql, found.userId) : null
  if (!found || !home) throw unauthorized('The email address or the password is wrong')

  return ctx.transaction(async (inside) => {
    const { userId } = found
    await refill(inside.sql, FROM_ONE_ADDRESS, accountFromHere)
    await recordAct(inside, { action: 'sign-in', by: { userId, orgId: home.orgId, via: 'session' } })
    return beginSession(inside, { userId, ...home })
  })
}

export async function stepUp(ctx: Context, { password }: InputOf<typeof accounts.stepUp>) {
  const { userId, credentialId } = ctx.caller
  await countTry(ctx, STEP_UP_TRIES, userId)
  const stored = await queries.findPasswordOf(ctx.sql, userId)
  if (!(await verifyPassword(stored, password)))
    throw forbidden('The password is wrong', { reason: 'wrong_password' })
  const until = stepUpExpiry(ctx.now())
  await ctx.transaction(async (inside) => {
    await refill(inside.sql, STEP_UP_TRIES, userId)
    await queries.updateStepUp(inside.sql, credentialId, until)
    await recordAct(inside, { action: 'step-up', by: ctx.caller })
  })
  return { until: until.toISOString() }
}

async function countTry(
  ctx: Context | PublicContext,
  limit: typeof STEP_UP_TRIES,
  who: string,
): Promise<void> {
  const { allowed, retrySeconds } = await takeToken(ctx.sql, limit, who, ctx.now())
  if (allowed) return
  throw new ApiError('RATE_LIMITED', `Too many tries: try again in ${retrySeconds} s`, {
    headers: { 'retry-after': String(retrySeconds) },
  })
}
