import type { accounts } from '../../../../../contract/accounts/accounts.ts'
import type { signIn } from '../../../../../contract/accounts/sign-in.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Config } from '../../../../config/config.ts'
import type { PublicContext } from '../../../../context.ts'
import { resetBucket } from '../../../../database/limits.ts'
import { unauthorized } from '../../../../errors.ts'
import { revokeTokens } from '../../../../one-time-tokens/one-time-tokens.ts'
import { clientNetwork } from '../../../../security/client-network.ts'
import { sha256 } from '../../../../security/digest.ts'
import { newId } from '../../../../security/ids.ts'
import { verifyPassword } from '../../../../security/passwords.ts'
import { consumeAttempt, delayAttempt, forgetAttempt } from '../attempts.ts'
import { consumeMailedLink } from '../email/mailed-link.ts'
import { sendMagicLink } from '../jobs.ts'
import * as queries from '../queries.ts'
import { findRecognizedDevice } from '../sessions/recognized-device.ts'
import { completeSignIn } from './complete-sign-in.ts'

/** Attempts at one account: a low limit per IP address, and a higher one across all addresses. */
const PER_IP = { name: 'sign-in-account', capacity: 5, perSeconds: 300 }
const PER_ACCOUNT = { name: 'sign-in-anywhere', capacity: 50, perSeconds: 3600 }
/** For a device that has signed in to the account before. */
const PER_DEVICE = { name: 'sign-in-device', capacity: 10, perSeconds: 600 }

/** Known and unknown email addresses get the same message, status and response time. */
export async function signInByPassword(
  ctx: PublicContext<'suspensions' | 'vault'>,
  { email, password }: InputOf<typeof accounts.signIn>,
) {
  const account = await authenticate(ctx, email, password)
  if (!account) throw unauthorized('The email address or password is wrong')
  return completeSignIn(ctx, account.userId, 'password', { passwordHash: account.passwordHash })
}

/**
 * Null if the password is wrong. Unverified accounts may share an email address. A device has its own attempts for an
 * account that recognizes it; other accounts share all devices' attempts. A whole office may accept an invitation at
 * once, so invited users don't wait for each other.
 */
export async function authenticate(
  ctx: AttemptContext,
  email: string,
  password: string,
  { isInvited = false }: { isInvited?: boolean } = {},
): Promise<queries.AccountPassword | null> {
  const candidates = await queries.listPasswords(ctx.sql, email)
  const recognized = candidates.filter(({ userId }) => findRecognizedDevice(ctx, userId) !== null)
  for (const candidate of recognized) {
    const limitKey = `${candidate.userId} ${findRecognizedDevice(ctx, candidate.userId)}`
    await consumeAttempt(ctx, PER_DEVICE, limitKey)
    if (!(await verifyPassword(candidate.passwordHash, password, { lane: 'known', key: limitKey }))) continue
    await resetBucket(ctx.sql, PER_DEVICE, limitKey)
    return candidate
  }
  const otherCandidates = candidates.filter((candidate) => !recognized.includes(candidate))
  return recognized.length > 0 && otherCandidates.length === 0
    ? null
    : authenticateUnknownDevice(ctx, email, password, { candidates: otherCandidates, isInvited })
}

type AttemptContext = Pick<PublicContext<'vault'>, 'sql' | 'now' | 'origin' | 'vault'>

async function authenticateUnknownDevice(
  ctx: AttemptContext,
  email: string,
  password: string,
  { candidates, isInvited }: { candidates: readonly queries.AccountPassword[]; isInvited: boolean },
) {
  const account = sha256(email).toString('base64url')
  const network = clientNetwork(ctx.origin.ip)
  const accountAndIp = `${account} ${network}`
  if (!isInvited) await delayAttempt(ctx, 'sign-in', network)
  await consumeAttempt(ctx, PER_IP, accountAndIp)
  await consumeAttempt(ctx, PER_ACCOUNT, account)

  const queue = { lane: 'anonymous', key: network } as const
  if (candidates.length === 0) await verifyPassword(null, password, queue)
  for (const candidate of candidates) {
    if (!(await verifyPassword(candidate.passwordHash, password, queue))) continue
    if (!isInvited) await forgetAttempt(ctx, 'sign-in', network)
    await resetBucket(ctx.sql, PER_IP, accountAndIp)
    return candidate
  }
  return null
}

/**
 * Does the same work for every address: the job checks later whether it has an account, so the response reveals
 * nothing.
 */
export async function requestMagicLink(
  ctx: PublicContext<'mail'>,
  { email, next }: InputOf<typeof signIn.sendMagicLink>,
) {
  const { language } = ctx.origin
  await ctx.enqueue(sendMagicLink, { id: newId(), email, next: next ?? null, language })
  return { sent: ctx.mail.canSend }
}

export const signInByMagicLink =
  (signup: Config['signup']) =>
  async (
    ctx: PublicContext<'hooks' | 'suspensions' | 'vault'>,
    { token }: InputOf<typeof signIn.byMagicLink>,
  ) => {
    const userId = await ctx.transaction(async (inside) => {
      const account = await consumeMailedLink(inside, 'magic-link', token, { signup })
      await revokeTokens(inside, 'magic-link', account.userId)
      return account.userId
    })
    return completeSignIn(ctx, userId, 'magic-link')
  }
