import { recordAudit } from '../../../../audit/record.ts'
import type { Caller, PublicContext } from '../../../../context.ts'
import { ApiError, unauthorized } from '../../../../errors.ts'
import { issueToken } from '../../../../one-time-tokens/one-time-tokens.ts'
import * as queries from '../queries.ts'
import { issueSession } from '../sessions/sessions.ts'

const SECOND_FACTOR_SECONDS = 300

/** Recorded in the sign-in's audit entry. */
export type FirstFactor =
  | 'password'
  | 'magic-link'
  | 'oauth'
  | 'passkey'
  | 'password-reset'
  | 'invite'
  | 'sign-up'

interface SignInProof {
  secondFactor?: 'totp' | 'recovery_code'
  /** The hash the password matched: the password may change during verification. */
  passwordHash?: string
  /** The session's active workspace. Defaults to the organization joined first. */
  workspace?: Pick<Caller, 'orgId' | 'workspaceId'>
}

/** Stored until the second factor is verified. */
export interface PendingSignIn {
  factor: FirstFactor
}

/**
 * Throws `second_factor_required` if one is needed. Run outside a transaction: the error contains a one-time token,
 * which a rollback would delete.
 */
export async function completeSignIn(
  ctx: PublicContext<'suspensions' | 'vault'>,
  userId: string,
  factor: FirstFactor,
  proof: SignInProof = {},
) {
  await requireSecondFactor(ctx, userId, factor)
  return createSession(ctx, userId, factor, proof)
}

/** The first step in `completeSignIn`, for callers that do other work before creating the session. */
export async function requireSecondFactor(ctx: PublicContext, userId: string, factor: FirstFactor) {
  const state = await queries.findSignInState(ctx.sql, userId)
  // A passkey with user verification is possession plus knowledge or biometrics: two factors.
  if (state?.hasTotp && factor !== 'passkey') throw await secondFactorRequired(ctx, userId, factor)
}

/** Call only for a user who has passed every required factor. */
export async function createSession(
  ctx: PublicContext<'suspensions' | 'vault'>,
  userId: string,
  factor: FirstFactor,
  { secondFactor, passwordHash, workspace }: SignInProof = {},
) {
  const active = workspace ?? (await queries.findDefaultWorkspace(ctx.sql, userId))
  if (!active)
    throw unauthorized('This account does not belong to any organization', { reason: 'no_organization' })
  const opensStepUp = factor === 'password' || factor === 'passkey'
  return ctx.transaction(async (inside) => {
    if (passwordHash && !(await queries.lockPassword(inside.sql, userId, passwordHash))) {
      throw unauthorized('The password was just changed: sign in again', { reason: 'password_changed' })
    }
    await recordAudit(inside, {
      action: 'sign-in',
      by: { userId, orgId: active.orgId, via: 'session' },
      details: { factor, ...(secondFactor && { secondFactor }) },
    })
    return issueSession(inside, { userId, ...active, opensStepUp })
  })
}

async function secondFactorRequired(
  ctx: PublicContext,
  userId: string,
  factor: FirstFactor,
): Promise<ApiError> {
  const data: PendingSignIn = { factor }
  const token = await issueToken(ctx, 'second-factor', { seconds: SECOND_FACTOR_SECONDS, userId, data })
  return new ApiError('UNAUTHORIZED', 'Enter a code from your authenticator app or a recovery code', {
    details: { reason: 'second_factor_required', ticket: token, methods: ['totp', 'recovery_code'] },
  })
}
