import { type Failure, findDefinition } from '../connectors/connectors.ts'
import type { ConnectionDependencies } from './dependencies.ts'
import { probe } from './probe.ts'
import { findWithSecrets } from './queries.ts'
import { backoffOf } from './refresh/backoff.ts'
import { refresh } from './refresh/refresh.ts'
import { openSecrets } from './secrets.ts'
import { markBroken, markWorking } from './status.ts'
import { targetOf } from './target.ts'

/** Checks with the provider whether a connection works, and stores the result. */
export async function checkNow(deps: ConnectionDependencies, orgId: string, id: string): Promise<void> {
  const first = await checkOnce(deps, orgId, id)
  if (!first || first.ok || !isRefusal(first.failure)) return
  const { generation } = first
  const outcome = await refresh(deps, { orgId, id, generation }, true)
  if (outcome === 'refreshed') await checkOnce(deps, orgId, id)
}

type CheckResult = { ok: true } | { ok: false; failure: Failure; generation: number }

/** Null if there is nothing to check. A refusal is stored by the refresh that follows it. */
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
  const probed = await probe(deps.outbound, targetOf(deps, row, definition, secrets))
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
      retryAt: backoffOf(now, row.refreshFailures),
    })
  }
  return { ok: false, failure, generation }
}

const CHECKED = ['active', 'error', 'expired']

export const isRefusal = ({ means }: Pick<Failure, 'means'>) => means === 'expired' || means === 'revoked'
