import { setTimeout as sleep } from 'node:timers/promises'
import type { AuthProvider, OAuthTokens } from '@modelcontextprotocol/client'
import type { Vault } from '../../../../security/vault.ts'
import { loadMcp } from '../connection/connect.ts'
import { SignInNeeded } from '../connection/failure.ts'
import { guardedFetch } from '../connection/guarded-fetch.ts'
import type { Dependencies } from '../dependencies.ts'
import { findServer, type ServerRow } from '../queries.ts'
import { openSecret, openTokens, sealSecret } from './secrets.ts'
import * as queries from './token-queries.ts'

/** Refreshed before use if they expire sooner. */
const EXPIRES_SOON_MS = 60_000
const REFRESH_LIMITS = { bytesMax: 1_048_576, timeoutMs: 15_000 }
const LEASE_MS = 30_000
const WAIT_MS = 100
const WAITS_MAX = LEASE_MS / WAIT_MS

export const signInNeeded = ({ name }: Pick<ServerRow, 'name'>) =>
  new SignInNeeded(`An admin has to sign in to the MCP server ${name} again, under MCP servers`)

/** Refreshes tokens when they expire, and once if the server refuses them. */
export function createTokenProvider(ctx: Dependencies, orgId: string, server: ServerRow): AuthProvider {
  let current = server
  return {
    async token() {
      const tokens = openTokens(ctx.vault, server.id, current.tokensSealed)
      if (!tokens) throw signInNeeded(server)
      const isExpiring =
        current.tokensExpireAt !== null &&
        Date.parse(current.tokensExpireAt) - ctx.now().getTime() < EXPIRES_SOON_MS
      if (!isExpiring || !tokens.refresh) return tokens.access
      current = await refreshTokens(ctx, orgId, current)
      return openTokens(ctx.vault, server.id, current.tokensSealed)!.access
    },
    async onUnauthorized() {
      current = await refreshTokens(ctx, orgId, current)
    },
  }
}

/**
 * One process refreshes while the others wait: many authorization servers accept a refresh token once, and revoke all
 * tokens if it is reused.
 */
async function refreshTokens(ctx: Dependencies, orgId: string, server: ServerRow): Promise<ServerRow> {
  const { sql, now } = ctx
  const seen = server.tokensSealed
  if (seen === null) throw signInNeeded(server)
  for (let waits = 0; waits < WAITS_MAX; waits++) {
    const until = new Date(now().getTime() + LEASE_MS)
    if (await queries.claimRefresh(sql, orgId, server.id, seen, { now: now(), until }))
      await refresh(ctx, orgId, server, seen)
    const found = await findServer(sql, orgId, server.id)
    if (!found?.tokensSealed) throw signInNeeded(server)
    if (found.tokensSealed !== seen) return found
    await sleep(WAIT_MS)
  }
  throw new Error('Another process has not finished refreshing the tokens')
}

async function refresh(ctx: Dependencies, orgId: string, server: ServerRow, seen: string): Promise<void> {
  const { sql, vault, outbound, now } = ctx
  const { oauth, id } = server
  const tokens = openTokens(vault, id, seen)
  if (!tokens?.refresh || !oauth.clientId || !oauth.authorizationServer) {
    await queries.deleteRefused(sql, orgId, id, seen)
    throw signInNeeded(server)
  }
  const mcp = await loadMcp()
  const guarded = guardedFetch(outbound, REFRESH_LIMITS)
  try {
    const issued = await mcp.refreshAuthorization(oauth.authorizationServer, {
      ...(oauth.metadata && { metadata: oauth.metadata }),
      ...(oauth.resource && { resource: oauth.resource }),
      clientInformation: openClientInformation(vault, server),
      refreshToken: tokens.refresh,
      fetchFn: guarded.fetch,
    })
    await queries.updateRefreshed(sql, orgId, id, seen, sealTokens(vault, id, issued, now()))
  } catch (error) {
    if (isRefused(mcp, error)) {
      await queries.deleteRefused(sql, orgId, id, seen)
      throw signInNeeded(server)
    }
    await queries.releaseRefresh(sql, orgId, id, seen)
    throw error
  } finally {
    guarded.end()
  }
}

const REFUSALS = ['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_token']

const isRefused = (mcp: Awaited<ReturnType<typeof loadMcp>>, error: unknown) =>
  error instanceof mcp.OAuthError && REFUSALS.includes(error.code)

export function openClientInformation(vault: Vault, { id, oauth, clientSecretSealed }: ServerRow) {
  const secret = openSecret(vault, 'client_secret', id, clientSecretSealed)
  return { client_id: oauth.clientId!, ...(secret !== null && { client_secret: secret }) }
}

export const sealTokens = (vault: Vault, serverId: string, issued: OAuthTokens, now: Date) => ({
  sealed: sealSecret(
    vault,
    'tokens',
    serverId,
    JSON.stringify({ access: issued.access_token, refresh: issued.refresh_token ?? null }),
  ),
  expiresAt: issued.expires_in === undefined ? null : new Date(now.getTime() + issued.expires_in * 1000),
})
