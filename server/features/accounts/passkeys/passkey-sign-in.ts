import type { passkeys } from '../../../../contract/accounts/passkeys.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context, PublicContext } from '../../../context.ts'
import { conflict, unauthorized } from '../../../errors.ts'
import { consumeToken, issueToken } from '../../../one-time-tokens/one-time-tokens.ts'
import { completeSignIn } from '../sign-in/complete-sign-in.ts'
import * as queries from './passkey-queries.ts'
import { authenticationOptions, CHALLENGE_SECONDS, verifyAuthentication } from './webauthn.ts'

interface Challenge {
  challenge: string
}

type Answer = InputOf<typeof passkeys.signIn>

/** For whoever comes: the authenticator knows which account it opens. */
export async function beginPasskeySignIn(ctx: PublicContext) {
  const options = await authenticationOptions(ctx.origin)
  const data: Challenge = { challenge: options.challenge }
  const ticket = await issueToken(ctx, 'passkey-sign-in', { seconds: CHALLENGE_SECONDS, data })
  return { ticket, options: { ...options } }
}

/** Whatever is wrong is answered alike. */
export async function signInByPasskey(ctx: PublicContext, { ticket, credential }: Answer) {
  const begun = await consumeToken<Challenge>(ctx, 'passkey-sign-in', ticket)
  const userId = begun && (await findVerifiedOwner(ctx, begun.data.challenge, credential))
  if (!userId) throw unauthorized('That passkey did not work: try again')
  return completeSignIn(ctx, userId, 'passkey')
}

export async function beginPasskeyStepUp(ctx: Context) {
  const { userId } = ctx.caller
  const known = await queries.listCredentials(ctx.sql, userId)
  if (known.length === 0) throw conflict('You have no passkey')
  const options = await authenticationOptions(ctx.origin, known)
  const data: Challenge = { challenge: options.challenge }
  const ticket = await issueToken(ctx, 'passkey-step-up', { seconds: CHALLENGE_SECONDS, userId, data })
  return { ticket, options: { ...options } }
}

/** Whether this answers a challenge of the caller with a passkey of the caller. */
export async function verifyPasskeyStepUp(ctx: Context, { ticket, credential }: Answer): Promise<boolean> {
  const { userId } = ctx.caller
  const begun = await consumeToken<Challenge>(ctx, 'passkey-step-up', ticket)
  if (begun?.userId !== userId) return false
  return (await findVerifiedOwner(ctx, begun.data.challenge, credential, userId)) === userId
}

/** Whose passkey answered, if the answer holds; that it was used is written down with it. */
async function findVerifiedOwner(
  ctx: PublicContext | Context,
  challenge: string,
  given: Answer['credential'],
  expected?: string,
): Promise<string | null> {
  const known = await queries.findCredential(ctx.sql, given.id)
  if (!known || known.userId !== (expected ?? known.userId)) return null
  const use = await verifyAuthentication(ctx.origin, challenge, given, known)
  if (!use || known.userId !== (use.userId ?? expected)) return null
  const isNewest = await queries.updatePasskeyUsed(ctx.sql, known.userId, {
    credentialId: known.credentialId,
    counter: use.counter,
    synced: use.synced,
    now: ctx.now(),
  })
  return isNewest ? known.userId : null
}
