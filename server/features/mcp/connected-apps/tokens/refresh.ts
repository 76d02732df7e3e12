import type { PublicContext } from '../../../../context.ts'
import { takeToken } from '../../../../database/limits.ts'
import { ApiError } from '../../../../errors.ts'
import { sha256 } from '../../../../security/digest.ts'
import { disconnect } from '../grants.ts'
import { refusal } from '../oauth-refusal.ts'
import { requestedAccess } from '../scope.ts'
import { issueTokens, type TokenPair, tokenResponse } from './issue.ts'
import { lockToken, type TokenRow, updateExchanged } from './token-queries.ts'

/** Clients repeat a refresh whose response they lost, and several processes of one client refresh at the same time. */
const REUSE_MS = 60_000

interface RefreshRequest {
  clientId: string
  token: string
  scope: string | undefined
}

export async function refreshTokens(ctx: PublicContext, { clientId, token, scope }: RefreshRequest) {
  const hash = sha256(token)
  const location = `app_tokens.successor ${hash.toString('hex')}`
  const outcome = await ctx.transaction(async (inside) => {
    const row = await lockToken(inside.sql, hash)
    const now = ctx.now()
    if (row?.kind !== 'refresh' || row.clientId !== clientId)
      return 'The refresh token is unknown or belongs to another client'
    if (hasEnded(row, now)) return 'The refresh token has expired, or the connection was revoked'
    if (row.usedAt === null) {
      requireGranted(row, scope)
      await limitRefreshes(inside, row)
      const pair = await issueTokens(inside, row)
      const successor = ctx.vault.seal(location, JSON.stringify(pair))
      await updateExchanged(inside.sql, row.orgId, hash, successor, now)
      return tokenResponse(pair, row.access, now)
    }
    if (row.successor !== null && now.getTime() - Date.parse(row.usedAt) <= REUSE_MS) {
      const pair = JSON.parse(ctx.vault.open(location, row.successor)) as TokenPair
      return tokenResponse(pair, row.access, now)
    }
    // Two parties have the token. The revocation commits.
    await disconnect(inside, row, { id: row.grantId, why: 'refresh token used twice' })
    return 'The refresh token was used before: the connection has been revoked'
  })
  if (typeof outcome === 'string') throw refusal('invalid_grant', outcome)
  return outcome
}

/** A client needs one refresh an hour. Tokens stay until they expire, so a refresh in a loop would fill the table. */
const REFRESH_LIMIT = { name: 'oauth-refresh', capacity: 60, perSeconds: 3600 }

async function limitRefreshes({ sql, now }: Pick<PublicContext, 'sql' | 'now'>, { grantId }: TokenRow) {
  const { allowed, retrySeconds } = await takeToken(sql, REFRESH_LIMIT, grantId, now())
  if (allowed) return
  throw new ApiError('RATE_LIMITED', 'Too many refreshes: use the access token until it expires', {
    headers: { 'retry-after': String(retrySeconds) },
  })
}

function hasEnded({ revokedAt, expiresAt, tokenExpiresAt }: TokenRow, now: Date): boolean {
  const hasPassed = (time: string | null) => time !== null && Date.parse(time) <= now.getTime()
  return revokedAt !== null || hasPassed(expiresAt) || hasPassed(tokenExpiresAt)
}

function requireGranted({ access }: TokenRow, scope: string | undefined): void {
  if (access === 'read' && requestedAccess(scope) === 'write')
    throw refusal('invalid_scope', 'The connection is read-only: connect the app again to allow writing')
}
