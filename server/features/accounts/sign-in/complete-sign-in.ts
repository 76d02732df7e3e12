import { recordAct } from '../../../audit/record.ts'
import type { Caller, PublicContext } from '../../../context.ts'
import { ApiError, unauthorized } from '../../../errors.ts'
import { issueTicket } from '../email/one-time-tokens.ts'
import * as queries from '../queries.ts'
import { beginSession } from '../sessions/sessions.ts'

const SECOND_FACTOR_SECONDS = 300

/** What the first factor was; each is written down with the sign-in. */
export type FirstFactor =
  | 'password'
  | 'magic-link'
  | 'oauth'
  | 'passkey'
  | 'password-reset'
  | 'invite'
  | 'sign-up'

interface Evidence {
  secondFactor?: 'totp' | 'recovery_code'
  /** The one that the given password matched: checking takes a while, in which it may have been replaced. */
  passwordHash?: string
  /** Where the session begins, if not at home. */
  place?: Pick<Caller, 'orgId' | 'workspaceId'>
}

/** What waits for the second factor. */
export interface Halfway {
  factor: FirstFactor
}

/**
 * The one way in: whoever has proved a first factor either gets a session, or is told to bring the second. Runs
 * outside any transaction of its caller, since a refusal must not undo the ticket that it names.
 */
export async function arrive(
  ctx: PublicContext,
  userId: string,
  factor: FirstFactor,
  evidence: Evidence = {},
) {
  await askSecondFactor(ctx, userId, factor)
  return admit(ctx, userId, factor, evidence)
}

/** The first half of arriving, for whoever has something to do before the session begins. */
export async function askSecondFactor(ctx: PublicContext, userId: string, factor: FirstFactor) {
  const state = await queries.findSignInState(ctx.sql, userId)
  // A passkey is something one has, opened by something one is or knows: two factors already.
  if (state?.hasTotp && factor !== 'passkey') throw await secondFactorRequired(ctx, userId, factor)
}

/** A session for somebody who has brought everything that is asked of them. */
export async function admit(
  ctx: PublicContext,
  userId: string,
  factor: FirstFactor,
  { secondFactor, passwordHash, place }: Evidence = {},
) {
  const home = place ?? (await queries.findHome(ctx.sql, userId))
  if (!home)
    throw unauthorized('This account belongs to no organization any more', { reason: 'no_organization' })
  const opensStepUp = factor === 'password' || factor === 'passkey'
  return ctx.transaction(async (inside) => {
    if (passwordHash && !(await queries.lockPassword(inside.sql, userId, passwordHash))) {
      throw unauthorized('The password has just been changed: sign in again', { reason: 'password_changed' })
    }
    await recordAct(inside, {
      action: 'sign-in',
      by: { userId, orgId: home.orgId, via: 'session' },
      details: { factor, ...(secondFactor && { secondFactor }) },
    })
    return beginSession(inside, { userId, ...home, opensStepUp })
  })
}

async function secondFactorRequired(
  ctx: PublicContext,
  userId: string,
  factor: FirstFactor,
): Promise<ApiError> {
  const data: Halfway = { factor }
  const ticket = await issueTicket(ctx, 'second-factor', { seconds: SECOND_FACTOR_SECONDS, userId, data })
  return new ApiError('UNAUTHORIZED', 'Enter a code of your authenticator app, or a recovery code', {
    details: { reason: 'second_factor_required', ticket, methods: ['totp', 'recovery_code'] },
  })
}
