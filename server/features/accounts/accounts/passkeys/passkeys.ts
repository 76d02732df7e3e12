import type { passkeys } from '../../../../../contract/accounts/passkeys.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context, PublicContext } from '../../../../context.ts'
import { badField, conflict, notFound, raise, unauthorized } from '../../../../errors.ts'
import { consumeToken, issueToken } from '../../../../one-time-tokens/one-time-tokens.ts'
import { newId } from '../../../../security/ids.ts'
import { completeSignIn } from '../sign-in/complete-sign-in.ts'
import { removeSignInMethod } from '../sign-in/sign-in-methods.ts'
import * as queries from './passkey-queries.ts'
import {
  authenticationOptions,
  CHALLENGE_SECONDS,
  registrationOptions,
  verifyAuthentication,
  verifyRegistration,
} from './webauthn.ts'

const PASSKEYS_MAX = 25

/** The challenge is bound to the caller. */
export async function beginPasskey(ctx: Context) {
  const { userId } = ctx.caller
  const user = (await queries.findPasskeyUser(ctx.sql, userId)) ?? raise(notFound('User'))
  const registeredCredentials = await queries.listCredentials(ctx.sql, userId)
  const options = await registrationOptions(ctx.origin, { userId, ...user }, registeredCredentials)
  const data = { challenge: options.challenge }
  const token = await issueToken(ctx, 'passkey-registration', { seconds: CHALLENGE_SECONDS, userId, data })
  return { ticket: token, options: { ...options } }
}

export async function addPasskey(
  ctx: Context,
  { ticket: token, credential, name }: InputOf<typeof passkeys.add>,
) {
  const { userId } = ctx.caller
  const stored = await consumeToken<{ challenge: string }>(ctx, 'passkey-registration', token)
  if (stored?.userId !== userId) throw badField('body.ticket', 'is no longer valid: start again')
  const credentialData = await verifyRegistration(ctx.origin, stored.data.challenge, credential)
  if (!credentialData) throw badField('body.credential', 'does not match the challenge: start again')

  return ctx.transaction(async (inside) => {
    if ((await queries.listCredentials(inside.sql, userId)).length >= PASSKEYS_MAX) {
      throw conflict(`You already have ${PASSKEYS_MAX} passkeys: remove one first`)
    }
    const passkey = { ...credentialData, id: newId(), userId, name, now: ctx.now() }
    const addedPasskey = await queries.insertPasskey(inside.sql, passkey)
    if (!addedPasskey) throw conflict('This passkey is already registered')
    await recordAudit(inside, {
      action: 'passkey.added',
      by: ctx.caller,
      target: addedPasskey.id,
      details: { name },
    })
    return addedPasskey
  })
}

export async function renamePasskey(ctx: Context, { id, name }: InputOf<typeof passkeys.rename>) {
  return (await queries.updatePasskeyName(ctx.sql, ctx.caller.userId, id, name)) ?? raise(notFound('Passkey'))
}

export async function removePasskey(ctx: Context, { id }: InputOf<typeof passkeys.remove>) {
  await removeSignInMethod(ctx, async (inside) => {
    const name =
      (await queries.deletePasskey(inside.sql, ctx.caller.userId, id)) ?? raise(notFound('Passkey'))
    await recordAudit(inside, { action: 'passkey.removed', by: ctx.caller, target: id, details: { name } })
  })
  return { removed: true as const }
}

interface Challenge {
  challenge: string
}

type PasskeyProof = InputOf<typeof passkeys.signIn>

/** The options list no credentials: the authenticator identifies the account. */
export async function beginPasskeySignIn(ctx: PublicContext) {
  const options = await authenticationOptions(ctx.origin)
  const data: Challenge = { challenge: options.challenge }
  const token = await issueToken(ctx, 'passkey-sign-in', { seconds: CHALLENGE_SECONDS, data })
  return { ticket: token, options: { ...options } }
}

/** Every failure has the same error, so the response reveals nothing. */
export async function signInByPasskey(
  ctx: PublicContext<'suspensions' | 'vault'>,
  { ticket: token, credential }: PasskeyProof,
) {
  const stored = await consumeToken<Challenge>(ctx, 'passkey-sign-in', token)
  const userId = stored && (await findVerifiedOwner(ctx, stored.data.challenge, credential))
  if (!userId) throw unauthorized('The passkey could not be verified: try again')
  return completeSignIn(ctx, userId, 'passkey')
}

export async function beginPasskeyStepUp(ctx: Context) {
  const { userId } = ctx.caller
  const credentials = await queries.listCredentials(ctx.sql, userId)
  if (credentials.length === 0) throw conflict('You have no passkey')
  const options = await authenticationOptions(ctx.origin, credentials)
  const data: Challenge = { challenge: options.challenge }
  const token = await issueToken(ctx, 'passkey-step-up', { seconds: CHALLENGE_SECONDS, userId, data })
  return { ticket: token, options: { ...options } }
}

/** Both must be the caller's. */
export async function verifyPasskeyStepUp(
  ctx: Context,
  { ticket: token, credential }: PasskeyProof,
): Promise<boolean> {
  const { userId } = ctx.caller
  const stored = await consumeToken<Challenge>(ctx, 'passkey-step-up', token)
  if (stored?.userId !== userId) return false
  return (await findVerifiedOwner(ctx, stored.data.challenge, credential, userId)) === userId
}

/** Also records the use. Null if the response is invalid. */
async function findVerifiedOwner(
  ctx: PublicContext | Context,
  challenge: string,
  credential: PasskeyProof['credential'],
  expectedUserId?: string,
): Promise<string | null> {
  const passkey = await queries.findCredential(ctx.sql, credential.id)
  if (!passkey || passkey.userId !== (expectedUserId ?? passkey.userId)) return null
  const use = await verifyAuthentication(ctx.origin, challenge, credential, passkey)
  if (!use || passkey.userId !== (use.userId ?? expectedUserId)) return null
  const isNewest = await queries.updatePasskeyUsed(ctx.sql, passkey.userId, {
    credentialId: passkey.credentialId,
    counter: use.counter,
    synced: use.synced,
    now: ctx.now(),
  })
  return isNewest ? passkey.userId : null
}
