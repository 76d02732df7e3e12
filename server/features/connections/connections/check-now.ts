import { findDefinition } from '../connectors/connectors.ts'
import type { ConnectionDependencies } from './dependencies.ts'
import { type Failure, probe } from './probe.ts'
import { findWithSecrets } from './queries.ts'
import { nextRetryAt, refresh } from './refresh/refresh.ts'
import { markBroken, markWorking } from './status.ts'
import { openSecrets, toOpenConnection } from './target.ts'

export async function checkNow(deps: ConnectionDependencies, orgId: string, id: string): Promise<void> {
  const first = await checkOnce(deps, orgId, id)
  if (!first || first.ok || !isRefusal(first.failure)) return
  const { generation } = first
  const outcome = await refresh(deps, { orgId, id, generation }, true)
  if (outcome === 'refreshed') await checkOnce(deps, orgId, id)
}

type CheckResult = { ok: true } | { ok: false; failure: Failure; generation: number }

/** Returns null if there is nothing to check. The following refresh stores a refusal. */
async function checkOnce(
  deps: ConnectionDependencies,
  orgId: string,
  id: string,
): Promise<CheckResult | null> {
  const row = await findWithSecrets(deps.sql, orgId, id)
  if (!row || !CHECKED.includes(row.status)) return null
  const definition = await findDefinition(deps.sql, orgId, row.slug)
  const secrets = openSecrets(deps.vault, id, row.sealed)
  if (!definition || !secrets) return null
  const probed = await probe(deps.outbound, toOpenConnection(deps, row, definition, secrets))
  const { generation } = row
  const now = deps.now()
  if (probed.ok) {
    const { account, kept } = probed
    await markWorking(deps.sql, orgId, { id, generation, account, kept, now })
    return { ok: true }
  }
  const { failure } = probed
  if (!isRefusal(failure) && failure.means !== 'slow_down' && row.status !== 'expired') {
    const reason = `${definition.name} does not respond as expected: ${failure.message}`
    await markBroken(deps.sql, orgId, {
      ...{ id, generation, status: 'error', reason, now },
      retryAt: nextRetryAt(now, row.refreshFailures),
    })
  }
  return { ok: false, failure, generation }
}

const CHECKED = ['active', 'error', 'expired']

export const isRefusal = ({ means }: Pick<Failure, 'means'>) => means === 'expired' || means === 'revoked'

/** Newer tokens aren't refreshed again: the provider refuses something else. */
const NEW_MS = 60_000

/**
 * Refreshes refused tokens once, or first checks them with the provider's smallest request: some report a missing
 * permission the same way. True if the caller should reopen the connection and retry.
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
