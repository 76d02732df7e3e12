import type { security } from '../../../../../contract/accounts/security.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context, PublicContext } from '../../../../context.ts'
import { badField, conflict, notFound, raise } from '../../../../errors.ts'
import { newTotpSecret, stepOfCode, totpUri } from '../../../../security/totp.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import * as queries from './totp-queries.ts'

const ENABLED_ALREADY = 'An authenticator app is already enrolled: remove it first'

/** Sign-in does not require a code until the first one proves that the app has the secret. */
export async function beginTotp(ctx: Context) {
  const { userId } = ctx.caller
  const secret = newTotpSecret()
  const sealed = ctx.vault.seal(locationOf(userId), secret)
  const { email } =
    (await queries.updateTotpPending(ctx.sql, userId, sealed)) ?? raise(conflict(ENABLED_ALREADY))
  return { secret, uri: totpUri(secret, email) }
}

export async function confirmTotp(ctx: Context, { code }: InputOf<typeof security.confirmTotp>) {
  const { userId } = ctx.caller
  const { sealed, isEnabled } =
    (await queries.findTotp(ctx.sql, userId)) ??
    raise(conflict('Start the enrollment of an authenticator app first'))
  if (isEnabled) throw conflict(ENABLED_ALREADY)
  const step =
    stepOfCode(ctx.vault.open(locationOf(userId), sealed), code, ctx.now()) ??
    raise(badField('body.code', 'is not the current code of the app'))
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

/** Whether this is a current, unused code; each is valid once. */
export async function consumeTotpCode(
  ctx: Pick<PublicContext, 'sql' | 'now' | 'vault'>,
  userId: string,
  code: string,
): Promise<boolean> {
  const totp = await queries.findTotp(ctx.sql, userId)
  if (!totp?.isEnabled) return false
  const step = stepOfCode(ctx.vault.open(locationOf(userId), totp.sealed), code, ctx.now())
  return step !== null && queries.updateTotpStep(ctx.sql, userId, { sealed: totp.sealed, step })
}

const locationOf = (userId: string) => `users.totp_secret:${userId}`
