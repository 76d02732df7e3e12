import type { PublicContext } from '../../../context.ts'
import { unauthorized } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import { randomToken } from '../../../security/random.ts'

/** Secrets that work once: mailed links, half-finished sign-ins, challenges. */
type TokenKind =
  | 'second-factor'
  | 'magic-link'
  | 'password-reset'
  | 'email-verification'
  | 'email-change'
  | 'sign-up'
  | 'passkey-sign-in'
  | 'passkey-step-up'
  | 'passkey-registration'
  | 'oauth'

type TokenContext = Pick<PublicContext, 'sql' | 'now'>

interface OneTimeToken<D> {
  userId: string | null
  data: D
}

export async function issueToken<D extends object>(
  ctx: TokenContext,
  kind: TokenKind,
  { seconds, userId = null, data }: { seconds: number; userId?: string | null; data: D },
): Promise<string> {
  const token = randomToken(32)
  const now = ctx.now()
  await ctx.sql`
    insert into tickets (token_hash, kind, user_id, data, created_at, expires_at)
    values (${sha256(token)}, ${kind}, ${userId}, ${ctx.sql.json(data as never)}, ${now},
      ${new Date(now.getTime() + seconds * 1000)})`
  return token
}

/** Takes the ticket: of two who present it at once, one gets it. */
export async function consumeToken<D extends object>(
  ctx: TokenContext,
  kind: TokenKind,
  token: string,
): Promise<OneTimeToken<D> | null> {
  const [row] = await ctx.sql<OneTimeToken<D>[]>`
    delete from tickets where token_hash = ${sha256(token)} and kind = ${kind} and expires_at > ${ctx.now()}
    returning user_id as "userId", data`
  return row ?? null
}

/**
 * The same for a ticket that belongs to somebody, who is locked first: two of them at once, each about to void the
 * other, would otherwise wait for each other. Run it inside a transaction.
 */
export async function consumeUserToken<D extends object>(ctx: TokenContext, kind: TokenKind, token: string) {
  await ctx.sql`
    select from users where id = (select user_id from tickets where token_hash = ${sha256(token)})
    for no key update`
  const taken = await consumeToken<D>(ctx, kind, token)
  return taken?.userId ? { userId: taken.userId, data: taken.data } : null
}

/** Looks without taking, for a ticket that is spent only when what follows succeeds. */
export async function peekToken<D extends object>(
  ctx: TokenContext,
  kind: TokenKind,
  token: string,
): Promise<OneTimeToken<D> | null> {
  const [row] = await ctx.sql<OneTimeToken<D>[]>`
    select user_id as "userId", data from tickets
    where token_hash = ${sha256(token)} and kind = ${kind} and expires_at > ${ctx.now()}`
  return row ?? null
}

/** A mailed link that does not work, for whatever reason: nobody learns more from it. */
export const linkExpired = () =>
  unauthorized('This link has been used or has expired: ask for a new one', { reason: 'link_spent' })

/** Other links of the same kind stop working when one has done its work. */
export const revokeTokens = (ctx: TokenContext, kind: TokenKind, userId: string) =>
  ctx.sql`delete from tickets where user_id = ${userId} and kind = ${kind}`

/** Whatever is half done for this person, by whomever, is over. */
export const revokeAllTokens = (ctx: TokenContext, userId: string) =>
  ctx.sql`delete from tickets where user_id = ${userId}`

export const deleteExpiredTokens = (sql: PublicContext['sql'], now: Date) =>
  sql`delete from tickets where expires_at < ${now}`
