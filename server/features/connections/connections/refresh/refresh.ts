import { setTimeout as sleep } from 'node:timers/promises'
import { requestTokens, type TokenResponse } from '../../../../oauth/token-request.ts'
import { findDefinition } from '../../connectors/connectors.ts'
import type { ConnectionDependencies } from '../dependencies.ts'
import { findProvider, type OAuthProvider, tokenEndpoint } from '../oauth/provider.ts'
import { revokeAtProvider } from '../oauth/revoke-tokens.ts'
import { readTokens, tokenTimes, toTokenSecrets } from '../oauth/tokens.ts'
import { findWithSecrets } from '../queries.ts'
import { markBroken } from '../status.ts'
import { openSecrets, sealSecrets } from '../target.ts'
import {
  claimRefresh,
  type LeasedConnection,
  releaseRefresh,
  storeRefreshed,
  takePrevious,
} from './lease-queries.ts'

/** `kept`: the current tokens may be valid. `broken`: the owner must act. */
export type RefreshOutcome = 'refreshed' | 'kept' | 'broken'

const WAIT_MS = 100
const WAITS_MAX = 300
const PREVIOUS_MS = 86_400_000
const FIRST_MS = 30_000
const MAX_MS = 3_600_000

/**
 * One process refreshes while the others wait: many providers accept a refresh token once, and revoke all tokens on
 * reuse.
 */
export async function refresh(
  deps: ConnectionDependencies,
  { orgId, id, generation }: LeasedConnection,
  isRefused = false,
): Promise<RefreshOutcome> {
  for (let waits = 0; waits < WAITS_MAX; waits++) {
    if (await claimRefresh(deps.sql, orgId, { id, generation }, deps.now()))
      return refreshClaimed(deps, { orgId, id, generation }, isRefused)
    const row = await findWithSecrets(deps.sql, orgId, id)
    if (!row || !['active', 'error'].includes(row.status)) return 'broken'
    if (row.generation !== generation) return 'refreshed'
    await sleep(WAIT_MS)
  }
  return 'kept'
}

/** Requires the lease. `isRefused`: the access token was refused. */
export async function refreshClaimed(
  deps: ConnectionDependencies,
  due: LeasedConnection,
  isRefused: boolean,
): Promise<RefreshOutcome> {
  const { orgId, id, generation } = due
  const row = await findWithSecrets(deps.sql, orgId, id)
  if (!row) return 'broken'
  if (row.generation !== generation) return 'refreshed'
  const definition = await findDefinition(deps.sql, orgId, row.slug)
  const provider = definition && (await findProvider(deps, orgId, definition, row))
  const secrets = openSecrets(deps.vault, id, row.sealed)
  const now = deps.now()
  const expire = async (reason: string): Promise<RefreshOutcome> => {
    await markBroken(deps.sql, orgId, { id, generation, status: 'expired', reason, retryAt: null, now })
    return 'broken'
  }
  if (!definition || !secrets) return expire('The stored tokens cannot be read: connect it again')
  const { name } = definition
  const isOver = isRefused || (row.expiresAt !== null && Date.parse(row.expiresAt) <= now.getTime())
  if (!secrets.refreshToken) {
    if (isOver) return expire(`${name} no longer accepts the authorization: connect it again`)
    const dueAt = row.expiresAt === null ? null : new Date(row.expiresAt)
    await releaseRefresh(deps.sql, orgId, due, { dueAt, failures: 0 })
    return 'kept'
  }
  if (!provider || provider.client.id !== row.clientId)
    return expire(`${name}’s OAuth client has changed: connect it again`)

  let usedToken = secrets.refreshToken
  let response = await requestRefresh(deps, provider, usedToken)
  if (isInvalid(response)) {
    // Another process may have refreshed, or an earlier response may be lost.
    if ((await findWithSecrets(deps.sql, orgId, id))?.generation !== generation) return 'refreshed'
    const previous = openSecrets(deps.vault, id, await takePrevious(deps.sql, orgId, due, now))?.refreshToken
    if (previous && previous !== usedToken) {
      usedToken = previous
      response = await requestRefresh(deps, provider, previous)
    }
  }
  if (isInvalid(response)) return expire(`${name} no longer accepts the authorization: connect it again`)
  const issued = response.ok ? readTokens(provider.auth, response.answer) : null
  if (!issued) return fail(deps, due, row.refreshFailures, now)
  const renewed = toTokenSecrets(issued, usedToken)
  const isStored = await storeRefreshed(deps.sql, orgId, due, {
    sealed: sealSecrets(deps.vault, id, renewed),
    scopes: issued.scopes,
    kept: issued.kept,
    ...tokenTimes(now, issued.expiresInS, true),
    previousUntil: new Date(now.getTime() + PREVIOUS_MS),
    now,
  })
  if (!isStored && !(await findWithSecrets(deps.sql, orgId, id)))
    await revokeAtProvider(deps.outbound, provider, renewed)
  return 'refreshed'
}

const isInvalid = (response: TokenResponse) => !response.ok && response.kind === 'refused'

const requestRefresh = (deps: ConnectionDependencies, provider: OAuthProvider, refreshToken: string) =>
  requestTokens(deps.outbound, tokenEndpoint(provider, 'refresh'), {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    ...provider.auth.params?.refresh,
  })

/** No answer: retried, and the connection doesn't expire. */
async function fail(
  deps: ConnectionDependencies,
  { orgId, ...due }: LeasedConnection,
  failures: number,
  now: Date,
): Promise<RefreshOutcome> {
  await releaseRefresh(deps.sql, orgId, due, { dueAt: nextRetryAt(now, failures), failures: failures + 1 })
  return 'kept'
}

/** 30 seconds, doubling up to an hour. */
export const nextRetryAt = (now: Date, failures: number): Date =>
  new Date(now.getTime() + Math.min(FIRST_MS * 2 ** Math.min(failures, 20), MAX_MS))
