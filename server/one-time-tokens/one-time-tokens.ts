import type { PublicContext } from '../context.ts'
import { sha256 } from '../security/digest.ts'
import { randomToken } from '../security/random.ts'

/** Stored as hashes in the `one_time_tokens` table. */
type TokenKind =
  | 'second-factor'
  | 'magic-link'
  | 'password-reset'
  | 'email-verification'
  | 'email-change'
  | 'sign-up'
  | 'join'
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
    insert into one_time_tokens (token_hash, kind, user_id, data, created_at, expires_at)
    values (${sha256(token)}, ${kind}, ${userId}, ${ctx.sql.json(data as never)}, ${now},
      ${new Date(now.getTime() + seconds * 1000)})`
  return token
}

/** Deletes the token, so only one concurrent request succeeds. */
export async function consumeToken<D extends object>(
  ctx: TokenContext,
  kind: TokenKind,
  token: string,
): Promise<OneTimeToken<D> | null> {
  const [row] = await ctx.sql<OneTimeToken<D>[]>`
    delete from one_time_tokens where token_hash = ${sha256(token)} and kind = ${kind} and expires_at > ${ctx.now()}
    returning user_id as "userId", data`
  return row ?? null
}

/** Run inside a transaction. Locks the user first: two requests revoking each other's tokens would deadlock. */
export async function consumeUserToken<D extends object>(ctx: TokenContext, kind: TokenKind, token: string) {
  await ctx.sql`
    select from users where id = (select user_id from one_time_tokens where token_hash = ${sha256(token)})
    for no key update`
  const consumed = await consumeToken<D>(ctx, kind, token)
  return consumed?.userId ? { userId: consumed.userId, data: consumed.data } : null
}

/** For tokens consumed only when the next step succeeds. */
export async function peekToken<D extends object>(
  ctx: TokenContext,
  kind: TokenKind,
  token: string,
): Promise<OneTimeToken<D> | null> {
  const [row] = await ctx.sql<OneTimeToken<D>[]>`
    select user_id as "userId", data from one_time_tokens
    where token_hash = ${sha256(token)} and kind = ${kind} and expires_at > ${ctx.now()}`
  return row ?? null
}

export const revokeTokens = (ctx: TokenContext, kind: TokenKind, userId: string) =>
  ctx.sql`delete from one_time_tokens where user_id = ${userId} and kind = ${kind}`

export const revokeAllTokens = (ctx: TokenContext, userId: string) =>
  ctx.sql`delete from one_time_tokens where user_id = ${userId}`

export const deleteUserTokens = (sql: PublicContext['sql'], userIds: readonly string[]) =>
  sql`delete from one_time_tokens where user_id = any(${userIds as string[]}::uuid[])`

export const deleteExpiredTokens = (sql: PublicContext['sql'], now: Date) =>
  sql`delete from one_time_tokens where expires_at < ${now}`
