import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { authorizationServer } from '../../../../../contract/mcp/authorization-server.ts'
import type { PublicContext } from '../../../../context.ts'
import { takeToken } from '../../../../database/limits.ts'
import { ApiError } from '../../../../errors.ts'
import { sha256 } from '../../../../security/digest.ts'
import { authenticateClient } from '../clients.ts'
import { disconnect } from '../grants.ts'
import { isOwnResource, mcpUrl, refusal, requestedAccess } from '../oauth-protocol.ts'
import { issueTokens, type TokenPair, tokenResponse } from './issue.ts'
import {
  type CodeRow,
  deleteToken,
  lockByCode,
  lockToken,
  type TokenRow,
  updateExchanged,
} from './token-queries.ts'

type TokenInput = InputOf<typeof authorizationServer.token>

export async function handleTokenRequest(ctx: PublicContext<'vault'>, input: TokenInput) {
  const clientId = await authenticateClient(ctx, input)
  const { baseUrl } = ctx.origin
  if (input.resource !== undefined && !isOwnResource(input.resource, baseUrl))
    throw refusal('invalid_target', `resource must be ${mcpUrl(baseUrl)}`)
  const requireParameter = (name: 'code' | 'redirect_uri' | 'code_verifier' | 'refresh_token'): string => {
    const value = input[name]
    if (value === undefined) throw refusal('invalid_request', `${name} is required`)
    return value
  }
  if (input.grant_type === 'authorization_code') {
    return exchangeCode(ctx, {
      clientId,
      code: requireParameter('code'),
      redirectUri: requireParameter('redirect_uri'),
      verifier: requireParameter('code_verifier'),
    })
  }
  if (input.grant_type === 'refresh_token')
    return refreshTokens(ctx, { clientId, token: requireParameter('refresh_token'), scope: input.scope })
  throw refusal('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token')
}

/** Per RFC 7009, an unknown token isn't an error. */
export async function revokeToken(ctx: PublicContext, input: InputOf<typeof authorizationServer.revoke>) {
  const clientId = await authenticateClient(ctx, input)
  const hash = sha256(input.token)
  await ctx.transaction(async (inside) => {
    const row = await lockToken(inside.sql, hash)
    if (!row || row.clientId !== clientId) return
    if (row.kind === 'access') await deleteToken(inside.sql, row.orgId, hash)
    else await disconnect(inside, row, { id: row.grantId, why: 'app' })
  })
  return {}
}

interface CodeExchange {
  clientId: string
  code: string
  redirectUri: string
  verifier: string
}

/** Per RFC 7636. */
const VERIFIER = /^[\w.~-]{43,128}$/

async function exchangeCode(ctx: PublicContext, exchange: CodeExchange) {
  const outcome = await ctx.transaction(async (inside) => {
    const row = await lockByCode(inside.sql, sha256(exchange.code))
    if (!row || row.clientId !== exchange.clientId) return 'The code is unknown or belongs to another client'
    if (row.codeUsedAt !== null) {
      // Two parties have the code, and either may be the client. The revocation commits.
      await disconnect(inside, row, { id: row.grantId, why: 'code used twice' })
      return 'The code was used before: the connection has been revoked'
    }
    const end = endOf(row, ctx.now())
    if (end) return end
    const mismatch = mismatchOf(row, exchange)
    if (mismatch) {
      // One attempt per code, so nobody can try another verifier. The revocation commits.
      await disconnect(inside, row, { id: row.grantId, why: 'code refused' })
      return `${mismatch}: the code is spent`
    }
    return tokenResponse(await issueTokens(inside, row), row.access, ctx.now())
  })
  if (typeof outcome === 'string') throw refusal('invalid_grant', outcome)
  return outcome
}

function endOf(row: CodeRow, now: Date): string | null {
  const hasPassed = (time: string | null) => time !== null && Date.parse(time) <= now.getTime()
  if (hasPassed(row.codeExpiresAt) || hasPassed(row.expiresAt)) return 'The code has expired'
  return row.revokedAt !== null || row.sessionId === null ? 'The approval has been withdrawn' : null
}

function mismatchOf(row: CodeRow, { redirectUri, verifier }: CodeExchange): string | null {
  if (row.redirectUri !== redirectUri) return 'redirect_uri differs from the one in the authorization request'
  const isVerified = VERIFIER.test(verifier) && sha256(verifier).toString('base64url') === row.challenge
  return isVerified ? null : 'code_verifier does not match the challenge in the authorization request'
}

/** Clients repeat a refresh after a lost response, or refresh from several processes. */
const REUSE_MS = 60_000

interface RefreshRequest {
  clientId: string
  token: string
  scope: string | undefined
}

async function refreshTokens(ctx: PublicContext<'vault'>, { clientId, token, scope }: RefreshRequest) {
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

/** A client needs one refresh an hour. Tokens stay until they expire, so a loop would fill the table. */
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
