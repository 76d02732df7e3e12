import type { PublicContext } from '../../../../context.ts'
import { sha256 } from '../../../../security/digest.ts'
import { randomToken } from '../../../../security/random.ts'
import { type GrantAccess, grantScope } from '../oauth-protocol.ts'
import { insertTokens } from './token-queries.ts'

export const ACCESS_PREFIX = 'atrium_mcp_'
const REFRESH_PREFIX = 'atrium_mcp_refresh_'
const ACCESS_SECONDS = 3600
const REFRESH_DAYS = 60

interface TokenGrant {
  orgId: string
  grantId: string
  access: GrantAccess
  expiresAt: string | null
}

/** Stored sealed for clients that repeat a refresh. */
export interface TokenPair {
  access: string
  refresh: string
  /** ISO time. */
  until: string
}

/** Neither token outlives the grant. Must run inside a transaction. */
export async function issueTokens(
  { sql, now: clock }: Pick<PublicContext, 'sql' | 'now'>,
  grant: TokenGrant,
): Promise<TokenPair> {
  const now = clock()
  const end = grant.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(grant.expiresAt)
  const after = (seconds: number) => new Date(Math.min(now.getTime() + seconds * 1000, end))
  const access = ACCESS_PREFIX + randomToken(32)
  const refresh = REFRESH_PREFIX + randomToken(32)
  const accessUntil = after(ACCESS_SECONDS)
  await insertTokens(sql, grant.orgId, {
    grantId: grant.grantId,
    access: { hash: sha256(access), expiresAt: accessUntil },
    refresh: { hash: sha256(refresh), expiresAt: after(REFRESH_DAYS * 86_400) },
    now,
  })
  return { access, refresh, until: accessUntil.toISOString() }
}

export const tokenResponse = (pair: TokenPair, access: GrantAccess, now: Date) => ({
  access_token: pair.access,
  token_type: 'Bearer' as const,
  expires_in: Math.max(0, Math.round((Date.parse(pair.until) - now.getTime()) / 1000)),
  refresh_token: pair.refresh,
  scope: grantScope(access),
})
