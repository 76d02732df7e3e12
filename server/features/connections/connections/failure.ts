import type { Failure } from '../connectors/connectors.ts'
import { checkNow, isRefusal } from './check-now.ts'
import type { ConnectionDependencies } from './dependencies.ts'
import { findWithSecrets } from './queries.ts'
import { refresh } from './refresh/refresh.ts'
import { openSecrets } from './secrets.ts'

/** Tokens this new are not refreshed again: the provider refuses something else. */
const NEW_MS = 60_000

/**
 * Reports that the provider refused the credentials of a request. Tokens are refreshed once. A token that cannot be
 * refreshed is first checked with the provider's smallest request: some providers respond to a missing permission in
 * the same way. Returns whether the caller should open the connection again and repeat its request.
 */
export async function reportFailure(
  deps: ConnectionDependencies,
  orgId: string,
  id: string,
  failure: Pick<Failure, 'means'>,
  usedCredentials?: { generation: number },
): Promise<{ shouldRetry: boolean }> {
  if (!isRefusal(failure)) return { shouldRetry: false }
  const row = await findWithSecrets(deps.sql, orgId, id)
  if (row?.status !== 'active') return { shouldRetry: false }
  const { generation, lastRefreshAt } = row
  if (usedCredentials && generation !== usedCredentials.generation) return { shouldRetry: true }
  const canRefresh = openSecrets(deps.vault, id, row.sealed)?.refreshToken != null
  const isNew = lastRefreshAt !== null && deps.now().getTime() - Date.parse(lastRefreshAt) < NEW_MS
  if (canRefresh && !isNew) {
    const outcome = await refresh(deps, { orgId, id, generation }, true)
    return { shouldRetry: outcome === 'refreshed' }
  }
  await checkNow(deps, orgId, id)
  return { shouldRetry: false }
}
