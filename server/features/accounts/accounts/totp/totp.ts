import type { security } from '../../../../../contract/accounts/security.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context, PublicContext } from '../../../../context.ts'
import { badField, conflict, notFound, raise } from '../../../../errors.ts'
import { sha256 } from '../../../../security/digest.ts'
import { randomLetters } from '../../../../security/random.ts'
import { newTotpSecret, stepOfCode, totpUri } from '../../../../security/totp.ts'
import * as queries from './totp-queries.ts'

const ENABLED_ALREADY = 'An authenticator app is already enrolled: remove it first'

/** Sign-in doesn't require a code until the first one proves the app has the secret. */
export async function beginTotp(ctx: Context<'vault'>) {
  const { userId } = ctx.caller
  const secret = newTotpSecret()
  const sealed = ctx.vault.seal(locationOf(userId), secret)
  const { email } =
    (await queries.updateTotpPending(ctx.sql, userId, sealed)) ?? raise(conflict(ENABLED_ALREADY))
  return { secret, uri: totpUri(secret, email) }
}

export async function confirmTotp(ctx: Context<'vault'>, { code }: InputOf<typeof security.confirmTotp>) {
  const { userId } = ctx.caller
  const { sealed, isEnabled } =
    (await queries.findTotp(ctx.sql, userId)) ?? raise(conflict('Start enrolling an authenticator app first'))
  if (isEnabled) throw conflict(ENABLED_ALREADY)
  const step =
    stepOfCode(ctx.vault.open(locationOf(userId), sealed), code, ctx.now()) ??
    raise(badField('body.code', 'is not the app’s current code'))
  return ctx.transaction(async (inside) => {
    const totp = { sealed, step, now: ctx.now() }
    if (!(await queries.updateTotpEnabled(inside.sql, userId, totp))) throw conflict(ENABLED_ALREADY)
    await recordAudit(inside, { action: 'totp.enabled', by: ctx.caller })
    return { recoveryCodes: await replaceRecoveryCodes(inside, userId) }
  })
}

export async function removeTotp(ctx: Context) {
  const { userId } = ctx.caller
  await ctx.transaction(async (inside) => {
    if (!(await queries.deleteTotp(inside.sql, userId))) throw notFound('Authenticator app')
    await queries.deleteRecoveryCodes(inside.sql, userId)
    await recordAudit(inside, { action: 'totp.removed', by: ctx.caller })
  })
  return { removed: true as const }
}

/** Each code is valid once. */
export async function consumeTotpCode(
  ctx: Pick<PublicContext<'vault'>, 'sql' | 'now' | 'vault'>,
  userId: string,
  code: string,
): Promise<boolean> {
  const totp = await queries.findTotp(ctx.sql, userId)
  if (!totp?.isEnabled) return false
  const step = stepOfCode(ctx.vault.open(locationOf(userId), totp.sealed), code, ctx.now())
  return step !== null && queries.updateTotpStep(ctx.sql, userId, { sealed: totp.sealed, step })
}

const locationOf = (userId: string) => `users.totp_secret:${userId}`

const CODES = 10
/** 32 characters without look-alikes: five bits each, fifty in a code. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const HALF_LENGTH = 5

export async function renewRecoveryCodes(ctx: Context) {
  const { userId } = ctx.caller
  return ctx.transaction(async (inside) => {
    if (!(await queries.lockTotp(inside.sql, userId))) throw conflict('Add an authenticator app first')
    await recordAudit(inside, { action: 'recovery-codes.renewed', by: ctx.caller })
    return { recoveryCodes: await replaceRecoveryCodes(inside, userId) }
  })
}

/** Returns the only copy and invalidates the old codes. Run in a transaction that has locked the user. */
async function replaceRecoveryCodes({ sql }: Pick<Context, 'sql'>, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode)
  const hashes = codes.map((code) => hashOf(userId, code))
  await queries.deleteRecoveryCodes(sql, userId)
  await queries.insertRecoveryCodes(sql, userId, hashes)
  return codes
}

/** Ignores case and punctuation. Each code is valid once. */
export const consumeRecoveryCode = ({ sql }: Pick<PublicContext, 'sql'>, userId: string, code: string) =>
  queries.deleteRecoveryCode(sql, userId, hashOf(userId, code))

const newCode = () => `${randomLetters(HALF_LENGTH, ALPHABET)}-${randomLetters(HALF_LENGTH, ALPHABET)}`

/** The user id acts as a salt: a stolen table must be attacked per user. */
const hashOf = (userId: string, code: string) =>
  sha256(`${userId} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`)
