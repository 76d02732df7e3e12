import { recordAudit } from '../../../audit/record.ts'
import type { Caller, PublicContext } from '../../../context.ts'
import { ApiError, unauthorized } from '../../../errors.ts'
import { issueToken } from '../../../one-time-tokens/one-time-tokens.ts'
import * as queries from '../queries.ts'
import { issueSession } from '../sessions/sessions.ts'

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

interface SignInProof {
  secondFactor?: 'totp' | 'recovery_code'
  /** The one that the given password matched: checking takes a while, in which it may have been replaced. */
  passwordHash?: string
  /** Where the session begins, if not at home. */
  workspace?: Pick<Caller, 'orgId' | 'workspaceId'>
}

/** What waits for the second factor. */
export interface PendingSignIn {
  factor: FirstFactor
}

/**
 * The one way in: whoever has proved a first factor either gets a session, or is told to bring the second. Runs
 * outside any transaction of its caller, since a refusal must not undo the ticket that it names.
 */
export async function completeSignIn(
  ctx: PublicContext,
  userId: string,
  factor: FirstFactor,
  evidence: SignInProof = {},
) {
  await requireSecondFactor(ctx, userId, factor)
  return createSession(ctx, userId, factor, evidence)
}

/** The first half of arriving, for whoever has something to do before the session begins. */
export async function requireSecondFactor(ctx: PublicContext, userId: string, factor: FirstFactor) {
  const state = await queries.findSignInState(ctx.sql, userId)
  // A passkey is something one has, opened by something one is or knows: two factors already.
  if (state?.hasTotp && factor !== 'passkey') throw await secondFactorRequired(ctx, userId, factor)
}

/** A session for somebody who has brought everything that is asked of them. */
export async function createSession(
  ctx: PublicContext,
  userId: string,
  factor: FirstFactor,
  { secondFactor, passwordHash, workspace }: SignInProof = {},
) {
  const home = workspace ?? (await queries.findDefaultWorkspace(ctx.sql, userId))
  if (!home)
    throw unauthorized('This account belongs to no organization any more', { reason: 'no_organization' })
  const opensStepUp = factor === 'password' || factor === 'passkey'
  return ctx.transaction(async (inside) => {
    if (passwordHash && !(await queries.lockPassword(inside.sql, userId, passwordHash))) {
      throw unauthorized('The password has just been changed: sign in again', { reason: 'password_changed' })
    }
    await recordAudit(inside, {
      action: 'sign-in',
      by: { userId, orgId: home.orgId, via: 'session' },
      details: { factor, ...(secondFactor && { secondFactor }) },
    })
    return issueSession(inside, { userId, ...home, opensStepUp })
  })
}

async function secondFactorRequired(
  ctx: PublicContext,
  userId: string,
  factor: FirstFactor,
): Promise<ApiError> {
  const data: PendingSignIn = { factor }
  const ticket = await issueToken(ctx, 'second-factor', { seconds: SECOND_FACTOR_SECONDS, userId, data })
  return new ApiError('UNAUTHORIZED', 'Enter a code of your authenticator app, or a recovery code', {
    details: { reason: 'second_factor_required', ticket, methods: ['totp', 'recovery_code'] },
  })
}
