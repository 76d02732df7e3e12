import type { security } from '../../../../../contract/accounts/security.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context } from '../../../../context.ts'
import { reply } from '../../../../endpoint/route.ts'
import { notFound, raise } from '../../../../errors.ts'
import * as queries from './security-queries.ts'

/** The sign-in methods and the sessions of the caller. */
export async function readSecurity(ctx: Context) {
  const { userId, credentialId } = ctx.caller
  const [found, passkeys, identities, sessions] = await Promise.all([
    queries.findSecurity(ctx.sql, userId),
    queries.listPasskeysOf(ctx.sql, userId),
    queries.listIdentitiesOf(ctx.sql, userId),
    queries.listSessionsOf(ctx.sql, userId, ctx.now()),
  ])
  const { email, emailVerified, hasPassword, totp, recoveryCodesLeft } = found ?? raise(notFound('User'))
  return {
    email,
    emailVerified,
    hasPassword,
    totp,
    recoveryCodesLeft,
    passkeys: [...passkeys],
    identities: [...identities],
    sessions: sessions.map((session) => ({ ...session, current: session.id === credentialId })),
  }
}

export async function endSession(ctx: Context, { id }: InputOf<typeof security.endSession>) {
  const { userId, credentialId } = ctx.caller
  await ctx.transaction(async (inside) => {
    if (!(await queries.deleteSessionOf(inside.sql, userId, id))) throw notFound('Session')
    await recordAudit(inside, { action: 'session.ended', by: ctx.caller, target: id })
  })
  return reply({ ended: true as const }, id === credentialId ? { session: 'ended' } : {})
}

export async function endOtherSessions(ctx: Context) {
  const { userId, credentialId } = ctx.caller
  return ctx.transaction(async (inside) => {
    const ended = await queries.deleteOtherSessions(inside.sql, userId, credentialId)
    const details = { others: String(ended) }
    if (ended > 0) await recordAudit(inside, { action: 'session.ended', by: ctx.caller, details })
    return { ended }
  })
}
